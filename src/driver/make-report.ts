import { CodedError } from '../base/coded-error.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import type { DriverReport } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { readEvents } from './object/read-events.ts';
import type { Judgement } from './observe/judgement.ts';
import type { Pod } from './observe/pod.ts';
import { awaitsMounts, failedClaim, missingVolume, refusedPods } from './observe/stuck-by-events.ts';
import { unboundClaims } from './observe/stuck-pod.ts';

/** How much of a log a report holds. */
const logLines = 20;

/** Whatever is wrong with one of many Pods is wrong with the first few. */
const mostPods = 3;

/** What a judgement is about: the workload, its Pods, and whether it has fewer of them than it wants. */
export interface Workload {
  readonly object: StoredObject;
  readonly pods: readonly Pod[];
  readonly isShortOfPods: boolean;
}

/**
 * The report of a workload: what its objects say; where that is merely that it goes on, what only Events tell (Pods that are refused, volumes
 * that are not there); and the log of whoever failed.
 */
export async function reportWorkload(
  parts: DriverParts,
  workload: Workload,
  seen: Judgement,
): Promise<DriverReport> {
  const isOpen = seen.state === 'progressing' && workload.object.metadata.deletionTimestamp === undefined;
  const stuck = isOpen ? await stuckByEvents(parts, workload) : undefined;
  return withLog(parts, workload.object.metadata.namespace ?? '', stuck ?? seen);
}

async function stuckByEvents(
  { cluster }: DriverParts,
  { object, pods, isShortOfPods }: Workload,
): Promise<Judgement | undefined> {
  const { namespace = '', uid } = object.metadata;
  if (isShortOfPods) {
    const refused = refusedPods(object, pods, await readEvents(cluster, namespace, { uid }));
    if (refused) return refused;
  }
  for (const pod of pods.filter(awaitsMounts).slice(0, mostPods)) {
    const stuck = missingVolume(pod, await readEvents(cluster, namespace, { uid: pod.metadata.uid }));
    if (stuck) return stuck;
  }
  for (const name of pods.slice(0, mostPods).flatMap(unboundClaims)) {
    const about = { kind: 'PersistentVolumeClaim', name };
    const stuck = failedClaim(name, await readEvents(cluster, namespace, about));
    if (stuck) return stuck;
  }
  return undefined;
}

async function withLog(
  { logs }: DriverParts,
  namespace: string,
  { culprit, ...report }: Judgement,
): Promise<DriverReport> {
  if (!culprit) return report;
  try {
    const log = await logs.tail({ namespace, ...culprit }, logLines);
    return log ? { ...report, log } : report;
  } catch (error) {
    // What became of the object is known; that its node does not give the log just now must not hide it.
    if (error instanceof CodedError) return report;
    throw error;
  }
}
