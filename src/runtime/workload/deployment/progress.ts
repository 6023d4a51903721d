import { type Condition, findCondition, withCondition, withoutCondition } from '../object/conditions.ts';
import { momentOf } from '../object/timestamps.ts';
import { type Deployment, type DeploymentStatus, hasDeadline } from './deployment.ts';
import { conditionNow, isComplete, type StatusInput } from './rollout-facts.ts';

const completed = 'NewReplicaSetAvailable';
const timedOut = 'ProgressDeadlineExceeded';

/** The conditions with what is to be said of the progress: done, going on, or stuck for too long. */
export function estimateProgress(
  input: StatusInput,
  counts: DeploymentStatus,
  conditions: readonly Condition[],
): readonly Condition[] {
  const { deployment, subject, now } = input;
  const current = findCondition(input.conditions, 'Progressing');
  const isOld = (counts.replicas ?? 0) === (counts.updatedReplicas ?? 0) && current?.reason === completed;
  if (isOld) return conditions;
  if (isComplete(deployment, counts)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(conditions, conditionNow(['Progressing', 'True', completed, message], now));
  }
  if (hasProgressed(deployment.status ?? {}, counts)) {
    const going = conditionNow(
      ['Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`],
      now,
    );
    return goingOn(conditions, current, going);
  }
  if (isStuck(deployment, current, now)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(conditions, conditionNow(['Progressing', 'False', timedOut, message], now));
  }
  return conditions;
}

/** After how many seconds the progress is to be looked at again, lest nobody notices that there is none. */
export function nextProgressCheck(
  deployment: Deployment,
  status: DeploymentStatus,
  now: number,
): number | undefined {
  const condition = findCondition(status.conditions, 'Progressing');
  if (!hasDeadline(deployment) || !condition) return undefined;
  if (isComplete(deployment, status) || condition.reason === timedOut || condition.reason === completed)
    return undefined;
  const end = deadlineFrom(deployment, condition);
  // A second more: times are written down in whole ones.
  return Math.max((end - now) / 1000 + 1, 1);
}

/** Any step forward renews the time, also one for the same reason as the last. */
function goingOn(
  conditions: readonly Condition[],
  current: Condition | undefined,
  going: Condition,
): readonly Condition[] {
  const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
  const renewed = since === undefined ? going : { ...going, lastTransitionTime: since };
  return [...withoutCondition(conditions, 'Progressing'), renewed];
}

function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const oldOf = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldOf(now) < oldOf(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isStuck(deployment: Deployment, condition: Condition | undefined, now: number): boolean {
  if (!condition || condition.reason === completed) return false;
  return condition.reason === timedOut || deadlineFrom(deployment, condition) < now;
}

function deadlineFrom({ spec }: Deployment, condition: Condition): number {
  return (momentOf(condition.lastUpdateTime) ?? 0) + (spec.progressDeadlineSeconds ?? 0) * 1000;
}
