import type { StoredObject } from '../../../cluster/cluster.ts';
import { isActive, type Pod } from '../object/pod.ts';
import { podType, replicaSetType } from '../object/workload-kinds.ts';
import type { Workload } from '../run/workload.ts';
import { decideReplicaSet, type ReplicaSetSeen } from './decide-replica-set.ts';
import type { ReplicaSet } from './replica-set.ts';

/** ReplicaSets make Pods. */
export const replicaSets: Workload<ReplicaSet, ReplicaSetSeen> = {
  type: replicaSetType,
  component: 'replicaset-controller',
  claims: [{ type: podType, mayAdopt: (_: StoredObject, pod: StoredObject) => isActive(pod as Pod) }],
  observe: (replicaSet, view, now) => ({ replicaSet, pods: view.ownedBy<Pod>(replicaSet, podType), now }),
  decide: decideReplicaSet,
};
