import { nonZero } from '../object/amounts.ts';
import { isAvailable, isReady, type Pod, phaseOf } from '../object/pod.ts';
import { replicasOf, revisionNameOf, type StatefulSet, type StatefulSetStatus } from './stateful-set.ts';

/** The revisions of a set in this pass, and how many Pods it gave up for the new one. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly updated: number;
  readonly collisionCount: number;
}

/** Counts the Pods that are there. When all of them are new and serve, the new revision is the current one. */
export function statefulSetStatus(
  { set, pods, now }: { readonly set: StatefulSet; readonly pods: readonly Pod[]; readonly now: number },
  { current, update, updated, collisionCount }: Revisions,
): StatefulSetStatus {
  const serving = pods.filter(pod => phaseOf(pod) === 'Running' && isReady(pod));
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const have = (revision: string) => staying.filter(pod => revisionNameOf(pod) === revision).length;
  const updatedReplicas = have(update);
  const replicas = replicasOf(set);
  const isRolling = set.spec.updateStrategy?.type !== 'OnDelete';
  const isThrough =
    isRolling && updatedReplicas === replicas && serving.length === replicas && pods.length === replicas;
  return {
    replicas: pods.length,
    availableReplicas: serving.filter(pod => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length,
    ...nonZero({
      observedGeneration: set.metadata.generation ?? 0,
      readyReplicas: serving.length,
      currentReplicas: isThrough ? updatedReplicas : have(current) - updated,
      updatedReplicas,
    }),
    currentRevision: isThrough ? update : current,
    updateRevision: update,
    collisionCount,
  };
}
