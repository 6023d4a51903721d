import type { JsonObject } from '../../../base/json.ts';
import type { Metadata, StoredObject } from '../../../cluster/cluster.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import type { Selector } from '../object/selector.ts';

/** What a controller looks at in a StatefulSet. */
export interface StatefulSet extends StoredObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly ordinals?: { readonly start?: number };
    readonly podManagementPolicy?: string;
    readonly revisionHistoryLimit?: number;
    readonly selector?: Selector;
    readonly serviceName?: string;
    readonly template: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
    readonly volumeClaimTemplates?: readonly ClaimTemplate[];
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: string;
      readonly whenScaled?: string;
    };
  };
  readonly status?: StatefulSetStatus;
}

export interface ClaimTemplate {
  readonly metadata: Metadata & { readonly name: string };
  readonly spec: JsonObject;
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
}

export const revisionLabel = 'controller-revision-hash';
export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
export const podIndexLabel = 'apps.kubernetes.io/pod-index';

export function replicasOf({ spec }: StatefulSet): number {
  return spec.replicas ?? 1;
}

/** The number of the first Pod. */
export function startOf({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** One after the other, each waiting for the one before. */
export function isOrdered({ spec }: StatefulSet): boolean {
  return spec.podManagementPolicy !== 'Parallel';
}

/** The number in the name of a Pod; undefined where it is none of this set. */
export function ordinalOf(set: StatefulSet, pod: StoredObject): number | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(pod.metadata.name);
  return match?.[1] === set.metadata.name ? Number(match[2]) : undefined;
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);
}

export function revisionNameOf(pod: StoredObject): string | undefined {
  return pod.metadata.labels?.[revisionLabel];
}
