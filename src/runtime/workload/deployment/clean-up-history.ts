import type { ReplicaSet } from '../replicaset/replica-set.ts';
import type { Write } from '../run/decision.ts';
import { type Deployment, replicasOf } from './deployment.ts';
import { revisionOf } from './new-replica-set.ts';

/** A limit that is none. */
const noLimit = 2 ** 31 - 1;

/** Removes the oldest of the empty ReplicaSets that are beyond the history a Deployment keeps. */
export function cleanUpHistory(deployment: Deployment, old: readonly ReplicaSet[]): readonly Write[] {
  const limit = deployment.spec.revisionHistoryLimit ?? noLimit;
  if (limit === noLimit) return [];
  const there = old.filter(one => one.metadata.deletionTimestamp === undefined);
  return there
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(0, there.length - limit))
    .filter(isEmpty)
    .map(object => ({ verb: 'delete', object }));
}

/** It has no Pods, wants none, and knows that it wants none. */
function isEmpty(replicaSet: ReplicaSet): boolean {
  const { status, metadata } = replicaSet;
  return (
    (status?.replicas ?? 0) === 0 &&
    replicasOf(replicaSet) === 0 &&
    (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0)
  );
}
