import type { Snapshot, Verbs } from '../../app/operator-verbs.ts';
import { type Outcome, outcomeOf } from '../../status/outcome.ts';
import type { View } from '../../status/view.ts';
import type { Exit } from '../exit-codes.ts';
import { progressOf } from '../print-flow-view.ts';
import { viewLines } from '../print-view.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

/** What the exit code says of how a change stands. */
export const exitOf: Record<Outcome, Exit> = {
  running: 'ok',
  done: 'ok',
  waiting: 'waiting',
  undone: 'undone',
  refused: 'refused',
};

/** What to do with each moment of a change: undefined to go on, an outcome to stop with. */
export type Judge = (snapshot: Snapshot, outcome: Outcome) => Promise<Outcome | undefined>;

/**
 * Shows a change while it runs: in place on a screen, elsewhere a line for whatever changed. Ends when the judge says so, or when a
 * person says stop; then with how it stood last.
 */
export async function followChange(
  verbs: Verbs,
  terminal: Terminal,
  signal: AbortSignal,
  judge: Judge,
): Promise<Outcome> {
  const shown = new Map<string, string>();
  let last: Outcome = 'running';
  for await (const snapshot of verbs.follow(signal)) {
    if (terminal.screen) terminal.screen.redraw(viewLines(snapshot.view, terminal.paint));
    else for (const line of newsOf(snapshot.view, shown)) terminal.print(`${line}\n`);
    last = outcomeOf(snapshot.objects, snapshot.view);
    const verdict = await judge(snapshot, last);
    if (verdict !== undefined) return verdict;
  }
  return last;
}

/** A line for everything that is not as it was shown before. Bars and times alone are no news. */
function newsOf({ at, services, plan, waits: recordWaits }: View, shown: Map<string, string>): string[] {
  const facts: [string, string, string][] = services.map(service => {
    const { name, state, serves, flow, waits } = service;
    const move = flow?.moves.at(-1);
    const doing = move === undefined || flow?.state === 'ended' ? '' : ` ${move.phase}: ${move.says}`;
    const why = waits.map(({ message }) => `; ${message}`).join('');
    const text = `${name} ${state}${doing}${why}`;
    const bar = flow === undefined || flow.state === 'ended' ? '' : ` ${progressOf(service, at)}`;
    return [name, `${text}, serves ${serves ?? 'nobody'}`, bar];
  });
  if (plan)
    facts.push(['plan', `plan ${plan.name} ${plan.state}, ${plan.done} of ${plan.steps} steps done`, '']);
  for (const { reason, message } of recordWaits) facts.push(['record', `record ${reason}: ${message}`, '']);
  return facts.flatMap(([key, text, more]) => {
    if (shown.get(key) === text) return [];
    shown.set(key, text);
    return [`${at.slice(11, 19)} ${printable(`${text}${more}`)}`];
  });
}
