import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Condition } from '../object/conditions.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import type { Selector } from '../object/selector.ts';

/** What a controller looks at in a ReplicaSet. */
export interface ReplicaSet extends StoredObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: Selector;
    readonly template: PodTemplate;
  };
  readonly status?: ReplicaSetStatus;
}

export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}
