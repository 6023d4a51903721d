import type { Condition } from '../object/conditions.ts';
import { timestamp } from '../object/timestamps.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { type Deployment, type DeploymentStatus, replicasOf } from './deployment.ts';

/** What a status is made of; the conditions are those that the pass has come to so far. */
export interface StatusInput {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  /** Whose progress it is, in words. */
  readonly subject: string;
  readonly conditions: readonly Condition[];
  readonly now: number;
}

/** Everything that is wanted runs, is new and serves. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const replicas = replicasOf(deployment);
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

/** A condition that begins now. */
export function conditionNow(
  [type, status, reason, message]: readonly [type: string, status: string, reason: string, message: string],
  now: number,
): Condition {
  const time = timestamp(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}
