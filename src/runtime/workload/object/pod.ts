import type { JsonObject } from '../../../base/json.ts';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { momentOf } from './timestamps.ts';

/** What a controller looks at in a Pod. */
export interface Pod extends StoredObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly restartPolicy?: string;
  readonly containers: readonly JsonObject[];
  readonly initContainers?: readonly JsonObject[];
  readonly [field: string]: unknown;
}

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly PodCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly state?: { readonly terminated?: { readonly exitCode?: number; readonly finishedAt?: string } };
}

export function phaseOf(pod: Pod): string {
  return pod.status?.phase ?? 'Pending';
}

/** It has run to its end, well or not. */
export function isFinished(pod: Pod): boolean {
  return phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';
}

/** It runs, or will: what counts as a replica. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** It was told to end and has not ended yet. */
export function isTerminating(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** Since when it has been ready; undefined for one that is not. */
export function readySince(pod: Pod): number | undefined {
  return isReady(pod) ? momentOf(readyCondition(pod)?.lastTransitionTime) : undefined;
}

/** Ready, and for long enough to be counted on. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  const since = readySince(pod);
  return minReadySeconds === 0 || (since !== undefined && since + minReadySeconds * 1000 <= now);
}

/** After how many seconds the next of the ready Pods becomes available; undefined when none is on the way. */
export function nextAvailability(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const waits = pods
    .filter(pod => isReady(pod) && !isAvailable(pod, minReadySeconds, now))
    .map(pod => ((readySince(pod) ?? now) + minReadySeconds * 1000 - now) / 1000);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

export function conditionOf(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find(condition => condition.type === type);
}

function readyCondition(pod: Pod): PodCondition | undefined {
  return conditionOf(pod, 'Ready');
}
