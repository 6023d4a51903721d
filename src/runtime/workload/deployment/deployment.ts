import type { StoredObject } from '../../../cluster/cluster.ts';
import { type Amount, amountOf } from '../object/amounts.ts';
import type { Condition } from '../object/conditions.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import type { Selector } from '../object/selector.ts';

/** What a controller looks at in a Deployment. */
export interface Deployment extends StoredObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector?: Selector;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: Amount; readonly maxUnavailable?: Amount };
    };
    readonly template: PodTemplate;
  };
  readonly status?: DeploymentStatus;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
}

/** What a deadline of progress is when it is none. */
const never = 2 ** 31 - 1;

export function replicasOf({ spec }: { readonly spec: { readonly replicas?: number } }): number {
  return spec.replicas ?? 1;
}

export function isRolling({ spec }: Deployment): boolean {
  return spec.strategy?.type !== 'Recreate';
}

export function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== never;
}

/** How many Pods there may be above those wanted. */
export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

/** How many of those wanted may be missing. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicas);
}

/** Both limits as numbers; where both would be none, one may be missing, or nothing could ever move. */
function fenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const rolling = deployment.spec.strategy?.rollingUpdate;
  const { maxSurge: over = '25%', maxUnavailable: under = '25%' } = rolling ?? {};
  const surge = amountOf(over, replicasOf(deployment), 'up');
  const unavailable = amountOf(under, replicasOf(deployment), 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}
