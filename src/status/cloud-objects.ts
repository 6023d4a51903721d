import type { KindObject, ObjectMeta } from '../api/kind.ts';
import type { LifecyclePlan, PlanStep } from '../api/lifecycle-plan.ts';
import type { OpenstackDeployment } from '../api/openstack-deployment.ts';
import type { Oslc } from '../api/oslc.ts';
import type { PhaseSpec, PhaseStatus } from '../api/phase-kinds.ts';
import type { ServiceRevision } from '../api/service-revision.ts';
import { compareText } from '../base/json.ts';

/** An object as a server gives it: it also says since when it is there. */
export type Seen<T extends { readonly metadata: ObjectMeta }> = T & {
  readonly metadata: { readonly creationTimestamp?: string };
};

/** A phase object of any of the nine kinds. */
export type PhaseObject = KindObject<PhaseSpec, PhaseStatus>;

/** Whether an operator is at work: it leads; one led and is gone; none ever led here. */
export interface OperatorPresence {
  readonly state: 'leads' | 'gone' | 'none';
  readonly lastSeenAt?: string;
}

/** Everything a view is computed from: the objects of one namespace, as of one moment. */
export interface CloudObjects {
  readonly record?: Seen<OpenstackDeployment>;
  readonly plans: readonly Seen<LifecyclePlan>[];
  readonly flows: readonly Seen<Oslc>[];
  readonly phases: readonly Seen<PhaseObject>[];
  readonly revisions: readonly Seen<ServiceRevision>[];
  /** The time it is, RFC 3339. */
  readonly now: string;
  /** Absent where it goes without saying, or cannot be told. */
  readonly operator?: OperatorPresence;
  /** The ids of the moves of a step when all goes well. Without it a bar knows only the moves that were begun. */
  readonly movesOf?: (step: PlanStep) => readonly string[];
}

/** Whether nothing looks after the cloud. One that never led may still be there: whether the record was looked at tells. */
export function operatorIsMissing({ operator, record }: CloudObjects): boolean {
  if (operator?.state === 'gone') return true;
  const isSeen = record?.status?.observedGeneration === record?.metadata.generation;
  return operator?.state === 'none' && record !== undefined && !isSeen;
}

interface Dated {
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string };
  readonly status?: { readonly startedAt?: string; readonly finishedAt?: string };
}

/** When an object was made, where it says; a server tells the second. */
function madeAt({ metadata, status }: Dated): string {
  return metadata.creationTimestamp ?? status?.startedAt ?? '';
}

/** What has not begun comes after all that has; what ended without a beginning, such as a plan that expired, when it ended. */
function beganAt({ status }: Dated): string {
  return status?.startedAt ?? status?.finishedAt ?? '9';
}

/** Objects by age, the oldest first; of those of one second, the one that began first, then by name, so that the order is always the same. */
export function byAge<T extends Dated>(objects: readonly T[]): T[] {
  return [...objects].sort(
    (a, b) =>
      compareText(madeAt(a), madeAt(b)) ||
      compareText(beganAt(a), beganAt(b)) ||
      compareText(a.metadata.name, b.metadata.name),
  );
}

/** The revisions of a service, the oldest first. */
export function revisionsOf({ revisions }: CloudObjects, service: string): Seen<ServiceRevision>[] {
  return revisions
    .filter(({ spec }) => spec.service === service)
    .sort((a, b) => a.spec.number - b.spec.number);
}

const ended: readonly (string | undefined)[] = ['Done', 'Failed', 'Aborted', 'Superseded', 'Expired'];

/** Whether a plan does nothing more. */
export function planIsOver({ status }: LifecyclePlan): boolean {
  return ended.includes(status?.state);
}

/** The plan that counts: the newest that is under way, else the newest that was not replaced by another. */
export function newestPlan({ plans }: CloudObjects): Seen<LifecyclePlan> | undefined {
  const inOrder = byAge(plans);
  return (
    inOrder.findLast(plan => !planIsOver(plan)) ??
    inOrder.findLast(({ status }) => status?.state !== 'Superseded') ??
    inOrder.at(-1)
  );
}
