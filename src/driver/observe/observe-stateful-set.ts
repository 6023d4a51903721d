import type { StoredObject } from '../../cluster/cluster.ts';
import { type Judgement, notObserved, terminating } from './judgement.ts';
import type { Pod } from './pod.ts';
import { countOf, partOf, rolledOut, rollingOut, specOf, statusOf } from './rollout.ts';
import { stuckPod } from './stuck-pod.ts';

/**
 * What became of a StatefulSet, from it and all its Pods. Replicas below the partition stay as they were on purpose; with OnDelete all do.
 * In order (the default) an old Pod that never gets ready keeps all others from being replaced, so it counts too.
 */
export function observeStatefulSet(set: StoredObject, pods: readonly Pod[]): Judgement {
  const status = statusOf(set);
  const early = terminating(set) ?? notObserved(set, status['observedGeneration']);
  if (early) return early;
  const wanted = wantedReplicas(set);
  const toUpdate = replicasToUpdate(set);
  const updated = countOf(status, 'updatedReplicas');
  const ready = countOf(status, 'readyReplicas');
  const available = countOf(status, 'availableReplicas', ready);
  const surplus = countOf(status, 'replicas') - wanted;
  const counts = `${Math.min(updated, toUpdate)} of ${toUpdate} replicas updated, ${ready} of ${wanted} ready`;
  const isOld = toUpdate === wanted && status['currentRevision'] !== status['updateRevision'];
  const isThrough = updated >= toUpdate && ready >= wanted && available >= wanted && surplus <= 0;
  const looked = isInOrder(set) ? pods : newestPods(pods, status['updateRevision']);
  const trouble = stuckPod(looked, { countsFailures: false });
  if (trouble) return trouble;
  return isThrough && !isOld ? rolledOut(set, counts) : rollingOut(set, counts, pods);
}

/** How many replicas it is to have. */
export function wantedReplicas(set: StoredObject): number {
  return countOf(specOf(set), 'replicas', 1);
}

function replicasToUpdate(set: StoredObject): number {
  const strategy = partOf(specOf(set), 'updateStrategy');
  if (strategy['type'] === 'OnDelete') return 0;
  const partition = countOf(partOf(strategy, 'rollingUpdate'), 'partition');
  return Math.max(0, wantedReplicas(set) - partition);
}

function isInOrder(set: StoredObject): boolean {
  return specOf(set)['podManagementPolicy'] !== 'Parallel';
}

function newestPods(pods: readonly Pod[], revision: unknown): readonly Pod[] {
  return pods.filter(({ metadata }) => metadata.labels?.['controller-revision-hash'] === revision);
}
