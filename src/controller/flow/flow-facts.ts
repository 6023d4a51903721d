import type { DataLoss } from '../../api/data-loss.ts';
import type { OslcStatus, PlannedFlow } from '../../api/oslc.ts';
import type { Backup, SchemaState } from '../../api/service-revision.ts';
import { compareText } from '../../base/json.ts';
import { answersOnAbort } from '../../flow/can-abort.ts';
import type { FlowFacts } from '../../flow/next-move.ts';
import { lossDigest } from '../../status/loss-digest.ts';
import type { FlowObject, PhaseObject } from '../our-objects.ts';
import type { FlowScope } from './flow-scope.ts';
import { moveStates } from './phase-objects.ts';

/** What is known now beside the moves themselves, as the gates of a flow ask for it. */
export function flowFacts(scope: FlowScope, oldProcesses: boolean): FlowFacts {
  const { phases, status, object, planned } = scope;
  const begun = (task: string) => phases.some(({ spec }) => spec.move?.task === task);
  const said = isAboutWhatStands(scope) ? object.spec.answers : unsaid(object.spec.answers);
  const answers = answersOf(planned, said);
  return {
    states: moveStates(phases),
    answers: object.spec.aborted ? answersOnAbort(answers) : answers,
    clientsWrote: clientsCouldWrite(planned, status),
    createdHere: begun('create-data'),
    oldProcesses,
  };
}

/**
 * Whether clients could write since the backup that would be restored was taken. Where traffic is not taken before the backup they write
 * all the while; and the backup that a rollback returns to was taken by an earlier flow.
 */
function clientsCouldWrite({ step }: PlannedFlow, { writesSince }: Pick<OslcStatus, 'writesSince'>): boolean {
  const servedBefore = step.flow !== 'install' && step.flow !== 'uninstall';
  return (
    writesSince !== undefined || (servedBefore && step.strategy !== 'recreate') || restoresFormer({ step })
  );
}

function restoresFormer({ step }: Pick<PlannedFlow, 'step'>): boolean {
  return step.data.some(({ action }) => action === 'restore');
}

/** So old a list of losses may be when a yes to it counts: it is made anew while the question stands, and before a late yes counts. */
const oldestListSeconds = 900;

/**
 * Whether a yes to a restore is about what would be lost now: it names the list that stands, and that list is not old. Once the flow went
 * on with it, it counts: what is told of losses after that is what was lost.
 */
function isAboutWhatStands({ flow, phases, status, object, now }: FlowScope): boolean {
  const { answers } = object.spec;
  const isListed = Object.values(flow.paths).some(({ moves }) =>
    moves.some(({ task }) => task === 'list-loss'),
  );
  if (answers?.restore !== 'yes' || !isListed) return true;
  const listed = phases.find(({ spec }) => spec.move?.task === 'list-loss');
  const begun = ({ status: told }: PhaseObject) => told?.startedAt ?? '9';
  if (listed && phases.some(phase => phase !== listed && begun(phase) > begun(listed))) return true;
  const losses = status.losses ?? [];
  // What cannot be told does not get older.
  const isOld = losses.some(
    ({ toldAt, known }) => known && now - Date.parse(toldAt) > oldestListSeconds * 1000,
  );
  return losses.length > 0 && !isOld && answers.restoreOf === lossDigest(losses);
}

/** The answers without a yes that is about something else than what is asked now. */
function unsaid(answers: FlowObject['spec']['answers']): FlowObject['spec']['answers'] {
  const { restore: _restore, ...others } = answers ?? {};
  return others;
}

/** What was agreed to when the plan was approved answers the same question when the flow puts it; what a person said since goes over it. */
function answersOf(
  { step, agreedTo = [] }: Pick<PlannedFlow, 'step'> & { readonly agreedTo?: PlannedFlow['agreedTo'] }, // older stores have none
  answers: FlowObject['spec']['answers'],
): FlowFacts['answers'] {
  const { restoreOf: _restoreOf, ...said } = answers ?? {};
  const agreed = (consent: 'purge' | 'contract' | 'restore') =>
    agreedTo.includes(consent) ? { [consent]: 'yes' as const } : {};
  return {
    ...agreed('purge'),
    ...agreed('contract'),
    ...(restoresFormer({ step }) ? agreed('restore') : {}),
    ...said,
  };
}

/** Whether a restore of this flow must not drop what was written since the backup: clients could write, and nobody consented. */
export function keepsWrites({ spec, status }: Pick<FlowObject, 'spec' | 'status'>): boolean {
  const { planned } = spec;
  if (!planned) return true;
  return clientsCouldWrite(planned, status ?? {}) && answersOf(planned, spec.answers).restore !== 'yes';
}

/** What the moves of a flow told of its databases: the last word on each. */
export function schemasAfter(before: readonly SchemaState[], phases: readonly PhaseObject[]): SchemaState[] {
  const all = new Map(before.map(schema => [schema.database, schema]));
  for (const { status } of inOrder(phases))
    for (const schema of status?.schemas ?? []) all.set(schema.database, schema);
  return [...all.values()].sort((a, b) => (a.database < b.database ? -1 : 1));
}

/** The backups a flow took, with when they were proved. */
export function backupsAfter(phases: readonly PhaseObject[]): Backup[] {
  const all = new Map<string, Backup>();
  for (const { status } of inOrder(phases))
    for (const backup of status?.backups ?? []) all.set(backup.database, backup);
  return [...all.values()].sort((a, b) => (a.database < b.database ? -1 : 1));
}

/** What restores would drop, or did: the last word on each database. */
export function lossesAfter(phases: readonly PhaseObject[]): DataLoss[] {
  const all = new Map<string, DataLoss>();
  for (const { status } of inOrder(phases))
    for (const loss of status?.losses ?? []) all.set(loss.database, loss);
  return [...all.values()].sort((a, b) => compareText(a.database, b.database));
}

/** One move begins when the one before has ended. */
function inOrder(phases: readonly PhaseObject[]): readonly PhaseObject[] {
  const timesOf = ({ status }: PhaseObject) => `${status?.startedAt ?? '9'} ${status?.finishedAt ?? '9'}`;
  return phases.toSorted((a, b) => compareText(timesOf(a), timesOf(b)));
}
