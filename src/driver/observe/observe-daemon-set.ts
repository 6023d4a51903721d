import type { StoredObject } from '../../cluster/cluster.ts';
import { type Judgement, notObserved, terminating } from './judgement.ts';
import type { Pod } from './pod.ts';
import { countOf, partOf, rolledOut, rollingOut, specOf, statusOf } from './rollout.ts';
import { stuckPod } from './stuck-pod.ts';

/**
 * What became of a DaemonSet, from it and its Pods: done when each node that is to run one runs the newest content of it, available. With
 * OnDelete old Pods stay on purpose. Old Pods that do not run are replaced at once by its controller, so those that are seen are new.
 */
export function observeDaemonSet(set: StoredObject, pods: readonly Pod[]): Judgement {
  const status = statusOf(set);
  const early = terminating(set) ?? notObserved(set, status['observedGeneration']);
  if (early) return early;
  const wanted = wantedPods(set);
  const isOnDelete = partOf(specOf(set), 'updateStrategy')['type'] === 'OnDelete';
  const updated = countOf(status, 'updatedNumberScheduled');
  const available = countOf(status, 'numberAvailable');
  const counts = `${updated} of ${wanted} nodes updated, ${available} available`;
  const trouble = stuckPod(pods, { countsFailures: false });
  if (trouble) return trouble;
  const isThrough = available >= wanted && (isOnDelete || updated >= wanted);
  return isThrough ? rolledOut(set, counts) : rollingOut(set, counts, pods);
}

/** On how many nodes it is to run. */
export function wantedPods(set: StoredObject): number {
  return countOf(statusOf(set), 'desiredNumberScheduled');
}
