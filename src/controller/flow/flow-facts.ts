import type { Backup, SchemaState } from '../../api/service-revision.ts';
import { compareText } from '../../base/json.ts';
import type { FlowFacts } from '../../flow/next-move.ts';
import type { PhaseObject } from '../our-objects.ts';
import type { FlowScope } from './flow-scope.ts';
import { moveStates } from './phase-objects.ts';

/** What is known now beside the moves themselves, as the gates of a flow ask for it. */
export function flowFacts(scope: FlowScope, oldProcesses: boolean): FlowFacts {
  const { phases, status, object, planned } = scope;
  const consented = consentsOf(scope);
  const begun = (task: string) => phases.some(({ spec }) => spec.move?.task === task);
  return {
    states: moveStates(phases),
    answers: { ...consented, ...object.spec.answers },
    // Where traffic is not taken before the backup, clients write all the while.
    clientsWrote:
      status.writesSince !== undefined || (planned.step.strategy !== 'recreate' && servedBefore(scope)),
    createdHere: begun('create-data'),
    oldProcesses,
  };
}

function servedBefore({ planned }: FlowScope): boolean {
  return planned.step.flow !== 'install' && planned.step.flow !== 'uninstall';
}

/** What was agreed to when the plan was approved answers the same question when the flow puts it. */
function consentsOf({ planned }: FlowScope): FlowFacts['answers'] {
  const { consents, data } = planned.step;
  const agreed = (consent: 'purge' | 'contract' | 'restore') =>
    consents.includes(consent) && planned.by !== undefined ? { [consent]: 'yes' as const } : {};
  const restores = data.some(({ action }) => action === 'restore');
  return { ...agreed('purge'), ...agreed('contract'), ...(restores ? agreed('restore') : {}) };
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

/** One move begins when the one before has ended. */
function inOrder(phases: readonly PhaseObject[]): readonly PhaseObject[] {
  const timesOf = ({ status }: PhaseObject) => `${status?.startedAt ?? '9'} ${status?.finishedAt ?? '9'}`;
  return phases.toSorted((a, b) => compareText(timesOf(a), timesOf(b)));
}
