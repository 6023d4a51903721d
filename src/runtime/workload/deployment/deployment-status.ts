import { nonZero, sum } from '../object/amounts.ts';
import { type Condition, findCondition, withCondition, withoutCondition } from '../object/conditions.ts';
import { type DeploymentStatus, hasDeadline, maxUnavailable, replicasOf } from './deployment.ts';
import { estimateProgress } from './progress.ts';
import { conditionNow, type StatusInput } from './rollout-facts.ts';

/** The status of a Deployment that is only counted: paused, or brought to another size. */
export function countedStatus(input: StatusInput): DeploymentStatus {
  return withConditions(countsOf(input), availability(input));
}

/** The status of a Deployment that is rolled out: counted, and how it gets on. */
export function rolloutStatus(input: StatusInput): DeploymentStatus {
  const counts = countsOf(input);
  const available = availability(input);
  const progress = hasDeadline(input.deployment)
    ? estimateProgress(input, counts, available)
    : withoutCondition(available, 'Progressing');
  return withConditions(counts, withFailure(progress, input));
}

function countsOf({ deployment, current, old }: StatusInput): DeploymentStatus {
  const all = [...old, ...(current ? [current] : [])];
  const available = sum(all, one => one.status?.availableReplicas);
  return {
    ...nonZero({
      observedGeneration: deployment.metadata.generation ?? 0,
      replicas: sum(all, one => one.status?.replicas),
      updatedReplicas: current?.status?.replicas ?? 0,
      readyReplicas: sum(all, one => one.status?.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sum(all, replicasOf) - available),
    }),
    terminatingReplicas: sum(all, one => one.status?.terminatingReplicas),
    ...(deployment.status?.collisionCount === undefined
      ? {}
      : { collisionCount: deployment.status.collisionCount }),
  };
}

function availability({ deployment, current, old, conditions, now }: StatusInput): readonly Condition[] {
  const available = sum([...old, ...(current ? [current] : [])], one => one.status?.availableReplicas);
  const isEnough = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const said = isEnough
    ? (['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'] as const)
    : ([
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
      ] as const);
  return withCondition(conditions, conditionNow(said, now));
}

/** What keeps a ReplicaSet from making Pods is the Deployment's trouble too; that of the new one comes first. */
function withFailure(conditions: readonly Condition[], { current, old }: StatusInput): readonly Condition[] {
  const failures = [current, ...old].flatMap(
    one => findCondition(one?.status?.conditions, 'ReplicaFailure') ?? [],
  );
  const [failure] = failures;
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  const { lastTransitionTime } = failure;
  return withCondition(conditions, {
    ...failure,
    ...(lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime }),
  });
}

function withConditions(counts: DeploymentStatus, conditions: readonly Condition[]): DeploymentStatus {
  return conditions.length > 0 ? { ...counts, conditions } : counts;
}
