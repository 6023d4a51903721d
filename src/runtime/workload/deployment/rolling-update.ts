import { sum } from '../object/amounts.ts';
import { byAge } from '../object/owner.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { type Deployment, maxUnavailable, replicasOf } from './deployment.ts';
import { sizeOfNew } from './new-replica-set.ts';
import type { ReplicaSetChanges } from './replica-set-changes.ts';

/** A Deployment between two templates. */
export interface Rollout {
  readonly deployment: Deployment;
  readonly current: ReplicaSet;
  readonly old: readonly ReplicaSet[];
  readonly changes: ReplicaSetChanges;
}

/**
 * One step of a rolling update: the new ReplicaSet grows into the room there is, or else the old ones shrink as far as enough
 * Pods stay available. True where something changes: what it comes to is seen before the next step.
 */
export function rollOn(rollout: Rollout): boolean {
  return grow(rollout) || shrink(rollout);
}

function grow({ deployment, current, old, changes }: Rollout): boolean {
  const replicas = replicasOf(deployment);
  const size = changes.sizeOf(current);
  if (size === replicas) return false;
  if (size > replicas) return changes.scale(current, replicas);
  const total = sum([...old, current], one => changes.sizeOf(one));
  return changes.scale(current, sizeOfNew(deployment, total, size));
}

function shrink({ deployment, current, old, changes }: Rollout): boolean {
  const active = old.filter(one => changes.sizeOf(one) > 0).toSorted(byAge);
  if (active.length === 0) return false;
  const total = sum([...old, current], one => changes.sizeOf(one));
  const least = replicasOf(deployment) - maxUnavailable(deployment);
  // New Pods that do not serve yet are no reason to give up old ones that do.
  const notYet = changes.sizeOf(current) - availableOf(current);
  const most = total - least - notYet;
  if (most <= 0) return false;
  const removed = giveUpUnhealthy(active, changes, most);
  const spare = sum([...active, current], availableOf) - least;
  return giveUp(active, changes, spare) + removed > 0;
}

/** Pods that do not serve are not missed: they go first, or they would hold up the rest. */
function giveUpUnhealthy(old: readonly ReplicaSet[], changes: ReplicaSetChanges, most: number): number {
  let removed = 0;
  for (const one of old) {
    const unhealthy = changes.sizeOf(one) - availableOf(one);
    const number = Math.min(most - removed, unhealthy);
    if (number <= 0) continue;
    changes.scale(one, changes.sizeOf(one) - number);
    removed += number;
  }
  return removed;
}

function giveUp(old: readonly ReplicaSet[], changes: ReplicaSetChanges, spare: number): number {
  let removed = 0;
  for (const one of old) {
    const number = Math.min(changes.sizeOf(one), spare - removed);
    if (number <= 0) continue;
    changes.scale(one, changes.sizeOf(one) - number);
    removed += number;
  }
  return removed;
}

function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}
