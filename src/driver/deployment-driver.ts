import type { StoredObject } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { reportWorkload } from './make-report.ts';
import { applyObject } from './object/apply-object.ts';
import { controlledBy, podType, replicaSetType, selectorOf } from './object/owned-objects.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { observeDeployment } from './observe/observe-deployment.ts';
import { asPods } from './observe/pod.ts';

/** Both a Deployment and its ReplicaSets say which of its contents they are. */
const revision = 'deployment.kubernetes.io/revision';

/** Deployments. Gone when no Pod of them is left. */
export function deploymentDriver(parts: DriverParts): Driver {
  const { cluster } = parts;
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      const pods = await newestPods(live);
      // What is refused to a Deployment is in its conditions.
      return reportWorkload(
        parts,
        { object: live, pods, isShortOfPods: false },
        observeDeployment(live, pods),
      );
    },
    apply: async object => void (await applyObject(cluster, object)),
    async remove(object) {
      if ((await removeObject(cluster, object)) === 'going') return 'going';
      const { namespace, name } = object.metadata;
      // The ReplicaSet may be gone before its Pods: then only its name says whose they were.
      const replicaSetName = new RegExp(`^${name?.replaceAll('.', '\\.')}-[a-z0-9]+$`);
      const left = await controlledBy(
        cluster,
        podType,
        { namespace, selector: selectorOf(object) },
        owner => owner.kind === 'ReplicaSet' && replicaSetName.test(owner.name),
      );
      return left.length > 0 ? 'going' : 'gone';
    },
  };

  /** The Pods of its newest content. */
  async function newestPods(deployment: StoredObject) {
    const { namespace, uid, annotations } = deployment.metadata;
    const of = { namespace, selector: selectorOf(deployment) };
    const sets = await controlledBy(cluster, replicaSetType, of, owner => owner.uid === uid);
    const newest = sets.filter(set => set.metadata.annotations?.[revision] === annotations?.[revision]);
    const uids = new Set(newest.map(set => set.metadata.uid));
    return asPods(await controlledBy(cluster, podType, of, owner => uids.has(owner.uid)));
  }
}
