import type { ClusterObject, OwnerReference } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { reportWorkload } from './make-report.ts';
import { applyObject } from './object/apply-object.ts';
import { controlledBy, podType, selectorOf } from './object/owned-objects.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { observeStatefulSet, wantedReplicas } from './observe/observe-stateful-set.ts';
import { asPods } from './observe/pod.ts';

/** StatefulSets. Gone when no Pod of them is left; their volumes stay, for data is not ours to remove. */
export function statefulSetDriver(parts: DriverParts): Driver {
  const { cluster } = parts;
  const podsOf = async (object: ClusterObject, isMeant: (owner: OwnerReference) => boolean) => {
    const of = { namespace: object.metadata.namespace, selector: selectorOf(object) };
    return asPods(
      await controlledBy(cluster, podType, of, owner => owner.kind === 'StatefulSet' && isMeant(owner)),
    );
  };
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      const pods = await podsOf(live, owner => owner.uid === live.metadata.uid);
      const isShortOfPods = pods.length < wantedReplicas(live);
      return reportWorkload(parts, { object: live, pods, isShortOfPods }, observeStatefulSet(live, pods));
    },
    apply: async object => void (await applyObject(cluster, object)),
    async remove(object) {
      if ((await removeObject(cluster, object)) === 'going') return 'going';
      const left = await podsOf(object, owner => owner.name === object.metadata.name);
      return left.length > 0 ? 'going' : 'gone';
    },
  };
}
