import type { StoredObject } from '../../../cluster/cluster.ts';
import { placeOf } from '../../../reconcile/informer.ts';
import type { Pod } from '../object/pod.ts';
import { daemonSetType, nodeType, podType, revisionType } from '../object/workload-kinds.ts';
import type { ControllerRevision } from '../revision/controller-revision.ts';
import { namesakesOf } from '../revision/namesakes.ts';
import type { View } from '../run/view.ts';
import type { Workload } from '../run/workload.ts';
import type { DaemonSet, Node } from './daemon-set.ts';
import { type DaemonSetSeen, decideDaemonSet } from './decide-daemon-set.ts';

/** DaemonSets make one Pod for every node. */
export const daemonSets: Workload<DaemonSet, DaemonSetSeen> = {
  type: daemonSetType,
  component: 'daemonset-controller',
  claims: [{ type: podType }, { type: revisionType }],
  looksAt: [{ type: nodeType, keysOf: allOf }],
  observe: (daemonSet, view, now) => ({
    daemonSet,
    pods: view.ownedBy<Pod>(daemonSet, podType),
    nodes: view.all<Node>(nodeType),
    revisions: view.ownedBy<ControllerRevision>(daemonSet, revisionType),
    namesakes: namesakesOf(daemonSet, view),
    now,
  }),
  decide: decideDaemonSet,
};

/** A node concerns every set. */
function allOf(_: StoredObject, view: View): readonly string[] {
  return view.all(daemonSetType).map(({ metadata }) => placeOf(metadata.namespace, metadata.name));
}
