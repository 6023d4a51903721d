import type { StoredObject } from '../../../cluster/cluster.ts';
import { partsOf } from '../../../reconcile/informer.ts';
import { controllerKey } from '../object/owner.ts';
import type { Pod } from '../object/pod.ts';
import { deploymentType, podType, replicaSetType } from '../object/workload-kinds.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import type { View } from '../run/view.ts';
import type { Workload } from '../run/workload.ts';
import { type DeploymentSeen, decideDeployment } from './decide-deployment.ts';
import { type Deployment, isRolling } from './deployment.ts';
import { newName } from './new-replica-set.ts';

/** Deployments make ReplicaSets. */
export const deployments: Workload<Deployment, DeploymentSeen> = {
  type: deploymentType,
  component: 'deployment-controller',
  claims: [{ type: replicaSetType }],
  looksAt: [{ type: podType, keysOf: recreatedWithout }],
  observe(deployment, view, now) {
    const replicaSets = view.ownedBy<ReplicaSet>(deployment, replicaSetType);
    const { name } = newName(deployment);
    return {
      deployment,
      replicaSets,
      pods: replicaSets.flatMap(one => view.ownedBy<Pod>(one, podType)),
      namesake: view.find<ReplicaSet>(replicaSetType, deployment.metadata.namespace, name),
      now,
    };
  },
  decide: decideDeployment,
};

/** A Deployment that is recreated waits for the last of its old Pods; the others go by the counts of their ReplicaSets. */
function recreatedWithout(pod: StoredObject, view: View): readonly string[] {
  const parent = controllerKey(pod, 'ReplicaSet');
  const { namespace, name } = partsOf(parent ?? '/');
  const replicaSet = parent === undefined ? undefined : view.find(replicaSetType, namespace, name);
  const key = replicaSet && controllerKey(replicaSet, 'Deployment');
  if (key === undefined) return [];
  const deployment = view.find<Deployment>(deploymentType, namespace, partsOf(key).name);
  return deployment && !isRolling(deployment) ? [key] : [];
}
