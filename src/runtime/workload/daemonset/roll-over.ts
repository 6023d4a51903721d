import { amountOf } from '../object/amounts.ts';
import { isAvailable, isReady, type Pod } from '../object/pod.ts';
import { createPod, deletePod, type Write } from '../run/decision.ts';
import { daemonPod } from './daemon-pod.ts';
import { type DaemonSet, hashLabel } from './daemon-set.ts';

/** A node, and the Pods of the set that are there or meant for it, those that have their place first. */
export interface OnNode {
  readonly node: string;
  readonly shallRun: boolean;
  readonly mayStay: boolean;
  readonly pods: readonly Pod[];
}

/** How many nodes of so many may have two Pods for a while. */
export function surgeOf({ spec }: DaemonSet, nodes: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === 'OnDelete' ? 0 : amountOf(rollingUpdate?.maxSurge ?? 0, nodes, 'up');
}

/** One step towards the new template on all nodes, with as many in between as may be at a time. */
export function rollOver(
  daemonSet: DaemonSet,
  places: readonly OnNode[],
  to: { readonly hash: string; readonly now: number },
): readonly Write[] {
  const wanted = places.filter(({ shallRun }) => shallRun);
  const states = wanted.map(({ node, pods }) => {
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const isNew = (pod: Pod) => pod.metadata.labels?.[hashLabel] === to.hash;
    return { node, fresh: staying.find(isNew), old: staying.find(pod => !isNew(pod)) };
  });
  const serves = (pod: Pod | undefined) =>
    pod !== undefined && isAvailable(pod, daemonSet.spec.minReadySeconds ?? 0, to.now);
  const surge = surgeOf(daemonSet, wanted.length);
  if (surge === 0) return replaceOld(daemonSet, states, serves);
  const done = states.filter(({ fresh, old }) => fresh && old && (serves(fresh) || !isReady(old)));
  const between = states.filter(({ fresh, old }) => fresh && old).length - done.length;
  const broken = states.filter(({ fresh, old }) => old && !fresh && !serves(old));
  const next = states.filter(({ fresh, old }) => old && !fresh && serves(old));
  const begun = [...broken, ...next.slice(0, Math.max(0, surge - between))];
  return [
    ...begun.map(({ node }) => createPod(daemonPod(daemonSet, node, to.hash))),
    ...done.flatMap(({ old }) => (old ? [deletePod(old)] : [])),
  ];
}

interface NodeState {
  readonly node: string;
  readonly fresh: Pod | undefined;
  readonly old: Pod | undefined;
}

/** The old Pod goes before the new one comes: those that do not serve at once, the others as far as some may be missing. */
function replaceOld(
  daemonSet: DaemonSet,
  states: readonly NodeState[],
  serves: (pod: Pod | undefined) => boolean,
): readonly Write[] {
  const { maxUnavailable = 1 } = daemonSet.spec.updateStrategy?.rollingUpdate ?? {};
  const most = Math.max(1, amountOf(maxUnavailable, states.length, 'up'));
  const missing = states.filter(({ fresh, old }) => !serves(fresh ?? old)).length;
  const old = states.flatMap(({ fresh, old: pod }) => (pod && !fresh ? [pod] : []));
  const broken = old.filter(pod => !serves(pod));
  const good = old.filter(serves).slice(0, Math.max(0, most - missing));
  return [...broken, ...good].map(deletePod);
}
