import type { StoredObject } from '../../../cluster/cluster.ts';
import { placeOf } from '../../../reconcile/informer.ts';
import type { Pod } from '../object/pod.ts';
import { claimType, podType, revisionType, statefulSetType } from '../object/workload-kinds.ts';
import type { ControllerRevision } from '../revision/controller-revision.ts';
import { namesakesOf } from '../revision/namesakes.ts';
import type { View } from '../run/view.ts';
import type { Workload } from '../run/workload.ts';
import { claimName } from './claims.ts';
import { decideStatefulSet, type StatefulSetSeen } from './decide-stateful-set.ts';
import { ordinalOf, replicasOf, type StatefulSet, startOf } from './stateful-set.ts';

/** StatefulSets make Pods with stable names and volumes. */
export const statefulSets: Workload<StatefulSet, StatefulSetSeen> = {
  type: statefulSetType,
  component: 'statefulset-controller',
  claims: [
    {
      type: podType,
      mayAdopt: (set: StoredObject, pod: StoredObject) => ordinalOf(set as StatefulSet, pod) !== undefined,
    },
    { type: revisionType },
  ],
  looksAt: [{ type: claimType, keysOf: usersOf }],
  observe(set, view, now) {
    const pods = view.ownedBy<Pod>(set, podType);
    return {
      set,
      pods,
      revisions: view.ownedBy<ControllerRevision>(set, revisionType),
      namesakes: namesakesOf(set, view),
      claims: claimsOf(set, pods, view),
      now,
    };
  },
  decide: decideStatefulSet,
};

/** The claims of every Pod that there is or shall be. */
function claimsOf(set: StatefulSet, pods: readonly Pod[], view: View): ReadonlyMap<string, StoredObject> {
  const wanted = Array.from({ length: replicasOf(set) }, (_, index) => startOf(set) + index);
  const there = pods.flatMap(pod => ordinalOf(set, pod) ?? []);
  const names = (set.spec.volumeClaimTemplates ?? []).flatMap(template =>
    [...wanted, ...there].map(ordinal => claimName(set, template, ordinal)),
  );
  const found = names.map(name => [name, view.find(claimType, set.metadata.namespace, name)] as const);
  return new Map(found.filter((entry): entry is [string, StoredObject] => entry[1] !== undefined));
}

/** The sets that may wait for a claim to come or go. */
function usersOf(claim: StoredObject, view: View): readonly string[] {
  const { namespace, name } = claim.metadata;
  return view
    .all<StatefulSet>(statefulSetType)
    .filter(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        spec.volumeClaimTemplates?.some(template =>
          name.startsWith(`${template.metadata.name}-${metadata.name}-`),
        ),
    )
    .map(({ metadata }) => placeOf(namespace, metadata.name));
}
