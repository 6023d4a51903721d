import type { Applied, Snapshot, Verbs } from '../../app/operator-verbs.ts';
import { printPlan } from '../../plan/print-plan.ts';
import { newestPlan } from '../../status/cloud-objects.ts';
import type { Outcome } from '../../status/outcome.ts';
import type { Call, RunCommand } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { printFindings } from '../plan.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import type { Terminal } from '../terminal.ts';
import { textOption } from './call-options.ts';
import { exitOf, followChange } from './follow-change.ts';
import { untilStopped, withVerbs } from './with-verbs.ts';

/** Applies a record, and follows what becomes of it where that is wanted. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { words, options } = call;
    const message = textOption(call, 'message');
    const applied = await verbs.apply({
      paths: words,
      folder: terminal.folder,
      stdin: words.includes('-') ? await terminal.readStdin() : '',
      ...(message === undefined ? {} : { message }),
    });
    if ('findings' in applied) return printFindings(applied, options['output'], terminal);
    printApplied(applied, call, terminal);
    const waits = options['wait'] === true || (options['wait'] !== false && terminal.screen !== undefined);
    return waits || options['approve'] === true ? follow(verbs, call, terminal, waits) : 'ok';
  });

function printApplied(
  applied: Exclude<Applied, { findings: unknown }>,
  call: Call,
  terminal: Terminal,
): void {
  const { output } = call.options;
  if (isStructured(output)) {
    terminal.print(structured(applied, output));
    return;
  }
  const { cloud, namespace, generation, changed, packages } = applied;
  const how = changed ? `applied, generation ${generation}` : `unchanged, generation ${generation}`;
  terminal.print(
    printable(
      `${cloud} in namespace ${namespace}: ${how}; ${packages === 1 ? '1 package is' : `${packages} packages are`} there`,
    ),
  );
  terminal.print('\n');
}

/** Follows the change, and gives or asks for the approval on the way. Without `waits` only until the plan is approved. */
async function follow(verbs: Verbs, call: Call, terminal: Terminal, waits: boolean): Promise<Exit> {
  const asked = new Set<string>();
  const quiet: Terminal =
    isStructured(call.options['output']) || !waits ? { ...terminal, print: () => {} } : terminal;
  const outcome = await followChange(verbs, quiet, untilStopped(terminal), async (snapshot, now) => {
    if (now !== 'waiting') return now === 'running' ? (waits || asked.size === 0 ? undefined : 'done') : now;
    const plan = newestPlan(snapshot.objects);
    if (plan?.status?.state !== 'WaitingForApproval') return now;
    // Between our word and the operator's answer the plan still says that it waits.
    if (asked.has(plan.metadata.name)) return undefined;
    asked.add(plan.metadata.name);
    return (await approvePlan(verbs, snapshot, call, terminal)) ? (waits ? undefined : 'done') : now;
  });
  return exitOf[outcome satisfies Outcome];
}

async function approvePlan(
  verbs: Verbs,
  { objects }: Snapshot,
  call: Call,
  terminal: Terminal,
): Promise<boolean> {
  const plan = newestPlan(objects);
  if (!plan) return false;
  const { digest } = plan.spec;
  if (call.options['approve'] !== true) {
    if (!terminal.screen) return false;
    terminal.tell(`\n${printPlan(plan.spec.plan, digest, terminal.paint)}\n`);
    if (!(await terminal.screen.ask('Approve this plan?'))) return false;
  }
  const request = { plan: plan.metadata.name, digest, consents: [], stages: [], answers: [] };
  const done = await (await verbs.approve(request)).carryOut();
  terminal.tell(done.map(line => `${printable(line)}\n`).join(''));
  return true;
}
