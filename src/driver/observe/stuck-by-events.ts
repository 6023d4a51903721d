import type { StoredObject } from '../../cluster/cluster.ts';
import { type Judgement, judged } from './judgement.ts';
import { isAlive, type Pod, statusesOf } from './pod.ts';

/** What drivers look at in an Event. */
interface Note extends StoredObject {
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
}

/**
 * Its Pods are refused: a quota, an admission rule, an account that is not there. Controllers of Jobs, StatefulSets and DaemonSets tell that
 * only by an Event, and Events outlive their cause: one that is older than the newest Pod was overcome.
 */
export function refusedPods(
  { kind, metadata }: StoredObject,
  pods: readonly StoredObject[],
  events: readonly StoredObject[],
): Judgement | undefined {
  const newestPod =
    pods
      .map(pod => pod.metadata.creationTimestamp)
      .sort()
      .at(-1) ?? '';
  const refused = newest(events, note => note.reason === 'FailedCreate' && timeOf(note) >= newestPod);
  if (!refused) return undefined;
  const why = refusalText(refused.message ?? '');
  return judged('stuck', 'FailedCreate', `${kind} ${metadata.name} gets no Pod: ${why}`);
}

/** A refusal without the name of the Pod, which is another with each try. */
export function refusalText(message: string): string {
  return message
    .replace(/^Error creating: /, '')
    .replace(/^create Pod \S+ in \S+ \S+ failed error: /, '')
    .replace(/pods "[^"]*" is forbidden/, 'its Pod is forbidden');
}

/** It waits for its volumes, or has just been given a node. */
export function awaitsMounts(pod: Pod): boolean {
  if (!isAlive(pod) || pod.status?.phase !== 'Pending') return false;
  const first = statusesOf(pod)[0]?.state;
  const reason = first?.waiting?.reason;
  return reason === 'ContainerCreating' || reason === 'PodInitializing';
}

/** A ConfigMap, Secret or the like that a volume is made of is not there. Anything else with volumes may pass. */
export function missingVolume(pod: Pod, events: readonly StoredObject[]): Judgement | undefined {
  const isMounted = (events as readonly Note[]).some(({ reason = '' }) =>
    ['Pulling', 'Pulled', 'Created', 'Started'].includes(reason),
  );
  if (isMounted) return undefined;
  const failed = newest(
    events,
    note =>
      note.reason === 'FailedMount' &&
      /not found/.test(note.message ?? '') &&
      // A claim is made and bound beside its Pod: it comes a moment later.
      !/persistentvolumeclaim/i.test(note.message ?? ''),
  );
  if (!failed) return undefined;
  return judged(
    'stuck',
    'FailedMount',
    `a volume of Pod ${pod.metadata.name} is not there: ${failed.message}`,
  );
}

/** Nobody brings the volume of a claim. */
export function failedClaim(claim: string, events: readonly StoredObject[]): Judgement | undefined {
  const failed = newest(events, ({ reason = '' }) =>
    ['ProvisioningFailed', 'FailedBinding'].includes(reason),
  );
  if (!failed?.reason) return undefined;
  return judged('stuck', failed.reason, `PersistentVolumeClaim ${claim} has no volume: ${failed.message}`);
}

/** The newest of the Events that are meant. */
function newest(events: readonly StoredObject[], isMeant: (note: Note) => boolean): Note | undefined {
  return [...(events as readonly Note[])]
    .filter(isMeant)
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .at(-1);
}

function timeOf({ lastTimestamp, eventTime, metadata }: Note): string {
  return lastTimestamp || eventTime || metadata.creationTimestamp;
}
