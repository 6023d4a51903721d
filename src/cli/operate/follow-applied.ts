import type { Applied, Snapshot, Verbs } from '../../app/operator-verbs.ts';
import { printPlan } from '../../plan/print-plan.ts';
import type { Outcome } from '../../status/outcome.ts';
import { outcomeOfApply, planOfApply } from '../../status/outcome-of-apply.ts';
import type { Call } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { waits } from './call-options.ts';
import { followChange, progressTerminal } from './follow-change.ts';
import { untilStopped } from './with-verbs.ts';

/** A record that was taken. */
export type Taken = Exclude<Applied, { findings: unknown }>;

/** What became of an apply that was followed. */
export interface Followed {
  readonly outcome: Outcome;
  /** The generation that was followed to the end: a newer one where the record was changed again meanwhile. */
  readonly followed: number;
  /** The plan that was made for it, where one was. */
  readonly plan?: string;
}

/**
 * Follows the plan that comes of a record, and gives or asks for the approval on the way; without `--wait` only until the plan is approved.
 * Only a plan for this generation counts. Where the record is changed again, what comes of that is followed, and that is said.
 */
export async function followApplied(
  verbs: Verbs,
  applied: Taken,
  call: Call,
  terminal: Terminal,
): Promise<Followed> {
  const toTheEnd = waits(call, terminal);
  const progress = progressTerminal(call, terminal);
  const asked = new Set<string>();
  let last = applied.generation;
  let plan: string | undefined;
  const noteWhatIsFollowed = ({ objects }: Snapshot) => {
    plan = planOfApply(objects, applied)?.metadata.name;
    const { generation = last } = objects.record?.metadata ?? {};
    if (generation > last)
      terminal.tell(`The record was changed again: following generation ${generation}.\n`);
    last = Math.max(last, generation);
  };
  const outcome = await followChange(verbs, toTheEnd ? progress : { ...progress, print: () => {} }, {
    signal: untilStopped(terminal),
    needsOperator: true,
    standing: ({ objects, view }) => outcomeOfApply(objects, view, applied),
    judge: async (snapshot, now) => {
      noteWhatIsFollowed(snapshot);
      if (now === 'running') return toTheEnd || asked.size === 0 ? undefined : 'done';
      const open = planOfApply(snapshot.objects, applied);
      if (now !== 'waiting' || open?.status?.state !== 'WaitingForApproval') return now;
      // Between our word and the operator's answer the plan still says that it waits.
      if (asked.has(open.metadata.name)) return undefined;
      asked.add(open.metadata.name);
      if (!(await approvePlan(verbs, open, call, terminal))) return now;
      return toTheEnd ? undefined : 'done';
    },
  });
  return { outcome, followed: last, ...(plan === undefined ? {} : { plan }) };
}

type Plan = NonNullable<ReturnType<typeof planOfApply>>;

async function approvePlan(verbs: Verbs, plan: Plan, call: Call, terminal: Terminal): Promise<boolean> {
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
