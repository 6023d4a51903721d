import { sum } from '../object/amounts.ts';
import { byAge } from '../object/owner.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { type Deployment, isRolling, maxSurge, replicasOf } from './deployment.ts';
import { desiredAnnotation, maxAnnotation, type ReplicaSetChanges } from './replica-set-changes.ts';

/** The ReplicaSets of a Deployment; the new one may not be there yet. */
export interface Sizes {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly changes: ReplicaSetChanges;
}

/** The Deployment wants another number than the one its ReplicaSets were made for. */
export function isScaled({ deployment, current, old }: Sizes): boolean {
  return [...old, ...(current ? [current] : [])].some(one => {
    const desired = one.metadata.annotations?.[desiredAnnotation];
    return replicasOf(one) > 0 && desired !== undefined && Number(desired) !== replicasOf(deployment);
  });
}

/**
 * Brings a Deployment to another size without moving its rollout on: what is added or taken away is shared out among its
 * ReplicaSets as big as they are, so that a bad template does not get more than its part.
 */
export function scaleInProportion(sizes: Sizes): void {
  const { deployment, current, old, changes } = sizes;
  const replicas = replicasOf(deployment);
  const all = [...old, ...(current ? [current] : [])];
  const active = all.filter(one => replicasOf(one) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? current ?? old.toSorted(byAge).at(-1);
    if (only) changes.scale(only, replicas);
    return;
  }
  if (current && isSaturated(deployment, current)) {
    for (const one of old) if (replicasOf(one) > 0) changes.scale(one, 0);
    return;
  }
  if (isRolling(deployment)) shareOut(sizes, active);
}

function shareOut({ deployment, changes }: Sizes, active: readonly ReplicaSet[]): void {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - sum(active, replicasOf);
  const ordered = active.toSorted(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)),
  );
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  for (const one of ordered) {
    const part = partOf(one, deployment, toAdd - added);
    sizes.set(one, replicasOf(one) + part);
    added += part;
  }
  const [biggest] = ordered;
  // What rounding left over is the biggest one's.
  if (biggest) sizes.set(biggest, Math.max(0, (sizes.get(biggest) ?? 0) + toAdd - added));
  for (const [one, size] of sizes) changes.scale(one, size, true);
}

/** What one of them gets, or gives, of what is left to share out. */
function partOf(one: ReplicaSet, deployment: Deployment, left: number): number {
  if (left === 0) return 0;
  const fraction = fractionOf(one, deployment);
  return left > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(one: ReplicaSet, deployment: Deployment): number {
  const size = replicasOf(one);
  if (replicasOf(deployment) === 0) return -size;
  const noted = Number(one.metadata.annotations?.[maxAnnotation]);
  const before = noted > 0 ? noted : (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const most = replicasOf(deployment) + maxSurge(deployment);
  return Math.round((size * most) / before) - size;
}

function isSaturated(deployment: Deployment, current: ReplicaSet): boolean {
  const replicas = replicasOf(deployment);
  return (
    replicasOf(current) === replicas &&
    Number(current.metadata.annotations?.[desiredAnnotation]) === replicas &&
    (current.status?.availableReplicas ?? 0) === replicas
  );
}
