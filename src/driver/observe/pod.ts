import type { StoredObject } from '../../cluster/cluster.ts';
import type { Condition } from './condition.ts';

/** What drivers look at in a Pod. */
export interface Pod extends StoredObject {
  readonly spec: {
    readonly restartPolicy?: string;
    readonly containers?: readonly { readonly name: string; readonly image?: string }[];
    readonly initContainers?: readonly { readonly name: string; readonly image?: string }[];
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/** What a kubelet says of one container. */
export interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

/** One of the three, or none yet. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: Terminated;
}

/** How a run of a container ended. */
export interface Terminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly finishedAt?: string;
}

/** Objects that were read as Pods. */
export function asPods(objects: readonly StoredObject[]): readonly Pod[] {
  return objects as readonly Pod[];
}

/** All its containers' statuses, those that prepare it first. */
export function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

/** It will not run any more. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** All its programs have ended well and are not started again: also where its node has not cleared it away yet. */
export function hasSucceeded({ spec, status }: Pod): boolean {
  if (status?.phase === 'Succeeded') return true;
  const { containers = [], restartPolicy } = spec;
  const ended = (status?.containerStatuses ?? []).filter(({ state }) => state?.terminated?.exitCode === 0);
  const isLast = restartPolicy === 'Never' || restartPolicy === 'OnFailure';
  return isLast && status?.phase === 'Running' && containers.length > 0 && ended.length === containers.length;
}

/** It runs or is about to, and is not on its way out. */
export function isAlive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** When its last container ended, as text that can be compared; by its creation where that is not known. */
export function endedAt(pod: Pod): string {
  const ends = statusesOf(pod).flatMap(({ state }) => state?.terminated?.finishedAt ?? []);
  return ends.sort().at(-1) ?? pod.metadata.creationTimestamp;
}

/** The Pod that ended last; by name where two ended in the same second. */
export function lastEnded(pods: readonly Pod[]): Pod | undefined {
  const key = (pod: Pod) => `${endedAt(pod)} ${pod.metadata.name}`;
  return [...pods].sort((a, b) => (key(a) < key(b) ? -1 : 1)).at(-1);
}
