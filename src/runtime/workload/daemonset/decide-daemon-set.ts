import { nonZero } from '../object/amounts.ts';
import { byAge } from '../object/owner.ts';
import { isAvailable, isReady, nextAvailability, type Pod, phaseOf } from '../object/pod.ts';
import { type ControllerRevision, newestRevision, truncateHistory } from '../revision/controller-revision.ts';
import {
  createPod,
  type Decision,
  deletePod,
  type Note,
  normal,
  type Write,
  warning,
} from '../run/decision.ts';
import { daemonPod, placeOn } from './daemon-pod.ts';
import { type DaemonSet, hashLabel, type Node, targetNodeOf } from './daemon-set.ts';
import { type OnNode, rollOver, surgeOf } from './roll-over.ts';

/** What a DaemonSet is decided from. */
export interface DaemonSetSeen {
  readonly daemonSet: DaemonSet;
  /** All Pods that it controls. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly revisions: readonly ControllerRevision[];
  readonly namesakes: readonly ControllerRevision[];
  readonly now: number;
}

/** One Pod on every node that it may run on; another template reaches them a few at a time. */
export function decideDaemonSet(seen: DaemonSetSeen): Decision {
  const { daemonSet, pods, revisions, namesakes, now } = seen;
  if (daemonSet.metadata.deletionTimestamp !== undefined) return {};
  const newest = newestRevision(daemonSet, revisions, namesakes);
  const places = placesOf(seen);
  const kept = keep(daemonSet, places, newest.hash);
  const lost = lostPods(seen).map(deletePod);
  const isCalm = kept.writes.length + lost.length === 0;
  const isRolling = daemonSet.spec.updateStrategy?.type !== 'OnDelete';
  const rolled = isCalm && isRolling ? rollOver(daemonSet, places, { hash: newest.hash, now }) : [];
  const used = new Set([
    newest.name,
    ...pods.map(({ metadata }) => `${daemonSet.metadata.name}-${metadata.labels?.[hashLabel]}`),
  ]);
  return {
    writes: [
      ...newest.writes,
      ...kept.writes,
      ...lost,
      ...rolled,
      ...truncateHistory(daemonSet, revisions, used),
    ],
    status: statusOf(seen, places, newest),
    notes: kept.notes,
    afterSeconds: nextAvailability(pods, daemonSet.spec.minReadySeconds ?? 0, now),
  };
}

function placesOf({ daemonSet, pods, nodes }: DaemonSetSeen): readonly OnNode[] {
  return nodes.map(node => ({
    node: node.metadata.name,
    ...placeOn(daemonSet, node),
    pods: pods.filter(pod => targetNodeOf(pod) === node.metadata.name).toSorted(placedFirst),
  }));
}

/** Pods that wait for a node that is not there. */
function lostPods({ pods, nodes }: DaemonSetSeen): readonly Pod[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return pods.filter(
    pod =>
      !pod.spec.nodeName &&
      pod.metadata.deletionTimestamp === undefined &&
      !names.has(targetNodeOf(pod) ?? ''),
  );
}

/** Makes what is missing on each node and removes what has ended, is too much or may not be there. */
function keep(
  daemonSet: DaemonSet,
  places: readonly OnNode[],
  hash: string,
): { readonly writes: readonly Write[]; readonly notes: readonly Note[] } {
  const made: Write[] = [];
  const removed: Write[] = [];
  const notes: Note[] = [];
  for (const { node, pods, shallRun, mayStay } of places) {
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (!mayStay) {
      removed.push(...staying.map(deletePod));
      continue;
    }
    const ended = staying.filter(pod => /Failed|Succeeded/.test(phaseOf(pod)));
    notes.push(...ended.map(pod => endedNote(pod, node)));
    const running = staying.filter(pod => !ended.includes(pod));
    const allowed = surgeOf(daemonSet, 1) > 0 ? oneOfEach(running, hash) : running.slice(0, 1);
    removed.push(...[...ended, ...running.filter(pod => !allowed.includes(pod))].map(deletePod));
    // One that is about to go is waited for, unless there may be two.
    const isFree = surgeOf(daemonSet, 1) > 0 ? running.length === 0 : pods.length === 0;
    if (shallRun && isFree) made.push(createPod(daemonPod(daemonSet, node, hash)));
  }
  return { writes: [...made, ...removed], notes };
}

/** The first new one and the first old one. */
function oneOfEach(pods: readonly Pod[], hash: string): readonly Pod[] {
  const isNew = (pod: Pod) => pod.metadata.labels?.[hashLabel] === hash;
  return [pods.find(isNew), pods.find(pod => !isNew(pod))].filter(pod => pod !== undefined);
}

function endedNote(pod: Pod, node: string): Note {
  const place = `${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
  return phaseOf(pod) === 'Failed'
    ? warning('FailedDaemonPod', `Found failed daemon pod ${place}, will try to kill it`)
    : normal('SucceededDaemonPod', `Found succeeded daemon pod ${place}, will try to delete it`);
}

function statusOf(
  { daemonSet, now }: DaemonSetSeen,
  places: readonly OnNode[],
  { hash, collisionCount }: { readonly hash: string; readonly collisionCount: number },
) {
  const wanted = places.filter(({ shallRun }) => shallRun);
  const first = wanted.flatMap(({ pods }) => pods.slice(0, 1));
  const available = first.filter(pod => isAvailable(pod, daemonSet.spec.minReadySeconds ?? 0, now)).length;
  return {
    currentNumberScheduled: first.length,
    desiredNumberScheduled: wanted.length,
    numberMisscheduled: places.filter(({ shallRun, pods }) => !shallRun && pods.length > 0).length,
    numberReady: first.filter(isReady).length,
    ...nonZero({
      observedGeneration: daemonSet.metadata.generation ?? 0,
      updatedNumberScheduled: first.filter(pod => pod.metadata.labels?.[hashLabel] === hash).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      collisionCount,
    }),
  };
}

/** Those that have their place come first, then the older. */
function placedFirst(a: Pod, b: Pod): number {
  const [left, right] = [Boolean(a.spec.nodeName), Boolean(b.spec.nodeName)];
  return left === right ? byAge(a, b) : Number(right) - Number(left);
}
