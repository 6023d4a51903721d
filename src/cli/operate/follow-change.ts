import type { Snapshot, Verbs } from '../../app/operator-verbs.ts';
import { CodedError } from '../../base/coded-error.ts';
import { operatorIsMissing } from '../../status/cloud-objects.ts';
import { type Outcome, outcomeOf } from '../../status/outcome.ts';
import type { Call } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { newsOf } from '../news-of.ts';
import { viewLines } from '../print-view.ts';
import { isStructured } from '../structured.ts';
import type { Terminal } from '../terminal.ts';

/** What the exit code says of how a change stands. */
export const exitOf: Record<Outcome, Exit> = {
  running: 'ok',
  done: 'ok',
  waiting: 'waiting',
  undone: 'undone',
  refused: 'refused',
};

/** What is followed, and until when. */
export interface Following {
  readonly signal: AbortSignal;
  /** How the change stands; the change to the record as it is now unless told otherwise. */
  readonly standing?: (snapshot: Snapshot) => Outcome;
  /** Give up where nothing carries it out: throws `OperatorMissing` when that lasts. Without it, it is only shown. */
  readonly needsOperator?: true;
  /** What to do with a moment: undefined to go on, an outcome to end with. Without it, it ends with everything but `running`. */
  readonly judge?: (snapshot: Snapshot, outcome: Outcome) => Promise<Outcome | undefined>;
}

/**
 * Shows a change while it runs: in place on a screen, elsewhere a line for whatever changed. Ends when the judge says so, or when a
 * person says stop; then with how it stood last.
 */
export async function followChange(verbs: Verbs, terminal: Terminal, following: Following): Promise<Outcome> {
  const {
    signal,
    standing = ({ objects, view }) => outcomeOf(objects, view),
    judge = async (_, outcome) => (outcome === 'running' ? undefined : outcome),
  } = following;
  const shown = new Map<string, string>();
  let last: Outcome = 'running';
  let missingSince: string | undefined;
  for await (const snapshot of verbs.follow(signal)) {
    if (terminal.screen) terminal.screen.redraw(viewLines(snapshot.view, terminal.paint));
    else for (const line of newsOf(snapshot.view, shown)) terminal.print(`${line}\n`);
    const { objects } = snapshot;
    missingSince = operatorIsMissing(objects) ? (missingSince ?? objects.now) : undefined;
    if (following.needsOperator && isLong(missingSince, objects.now))
      throw new CodedError('OperatorMissing', 'no operator is running in the cluster');
    last = standing(snapshot);
    const verdict = await judge(snapshot, last);
    if (verdict !== undefined) return verdict;
  }
  return last;
}

/** An operator that is restarted, or hands its lead over, is there again before this. */
const mostSecondsMissing = 60;

function isLong(since: string | undefined, now: string): boolean {
  return since !== undefined && (Date.parse(now) - Date.parse(since)) / 1000 >= mostSecondsMissing;
}

/** The terminal that progress is shown on: none for a program, which reads one value at the end. */
export function progressTerminal(call: Call, terminal: Terminal): Terminal {
  const { screen: _, ...rest } = terminal;
  return isStructured(call.options['output']) ? { ...rest, print: () => {} } : terminal;
}
