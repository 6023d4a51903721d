import { type Condition, findCondition, withCondition } from '../object/conditions.ts';
import { controllerOf } from '../object/owner.ts';
import { isFinished, type Pod } from '../object/pod.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { type Decision, normal, type Write } from '../run/decision.ts';
import { cleanUpHistory } from './clean-up-history.ts';
import { type Deployment, type DeploymentStatus, hasDeadline, isRolling, replicasOf } from './deployment.ts';
import { countedStatus, rolloutStatus } from './deployment-status.ts';
import { annotationsOfNew, findNew, makeNew, newName } from './new-replica-set.ts';
import { nextProgressCheck } from './progress.ts';
import { ReplicaSetChanges, revisionAnnotation } from './replica-set-changes.ts';
import { rollOn } from './rolling-update.ts';
import { conditionNow, isComplete, type StatusInput } from './rollout-facts.ts';
import { isScaled, scaleInProportion } from './scale-in-proportion.ts';

/** What a Deployment is decided from. */
export interface DeploymentSeen {
  readonly deployment: Deployment;
  /** All that it controls. */
  readonly replicaSets: readonly ReplicaSet[];
  /** The Pods of these. */
  readonly pods: readonly Pod[];
  /** The ReplicaSet that has the name of the new one, whoever it belongs to. */
  readonly namesake: ReplicaSet | undefined;
  readonly now: number;
}

/** Brings the ReplicaSets of a Deployment closer to its template and size, as its strategy says. */
export function decideDeployment(seen: DeploymentSeen): Decision {
  const { deployment, replicaSets, now } = seen;
  const pauseOrEnd = pauseToTell(deployment, now);
  // As a pass of its own, as on a cluster: who waits for the word sees it before anything follows from it.
  if (pauseOrEnd) return { status: { ...deployment.status, conditions: pauseOrEnd } };
  const current = findNew(deployment, replicaSets);
  const old = replicaSets.filter(one => one !== current);
  const changes = new ReplicaSetChanges(deployment);
  const conditions = conditionsBefore(deployment, current, now);
  const subject = `ReplicaSet "${current?.metadata.name ?? newName(deployment).name}"`;
  const input: StatusInput = { deployment, current, old, subject, conditions, now };
  if (deployment.metadata.deletionTimestamp !== undefined) return { status: countedStatus(input) };
  if (current) {
    changes.annotate(current, annotationsOfNew(deployment, current, old));
    changes.useMinReadySeconds(current);
  }
  const sizes = { deployment, current, old, changes };
  if (deployment.spec.paused === true || isScaled(sizes)) {
    scaleInProportion(sizes);
    const cleaned = deployment.spec.paused === true ? cleanUpHistory(deployment, old) : [];
    return { writes: [...writesOf(sizes), ...cleaned], status: countedStatus(input) };
  }
  return isRolling(deployment) ? rollOut(seen, input, changes) : recreate(seen, input, changes);
}

function rollOut(seen: DeploymentSeen, input: StatusInput, changes: ReplicaSetChanges): Decision {
  const { deployment, current, old } = input;
  if (!current) return create(seen, input);
  const hasMoved = rollOn({ deployment, current, old, changes });
  return finish(input, changes, hasMoved);
}

/** Everything old ends before anything new begins. */
function recreate(seen: DeploymentSeen, input: StatusInput, changes: ReplicaSetChanges): Decision {
  const { deployment, current, old } = input;
  for (const one of old) changes.scale(one, 0);
  if (old.some(one => replicasOf(one) > 0) || oldPodsRun(seen, current, old)) {
    return finish(input, changes, true);
  }
  if (!current) return create(seen, input);
  changes.scale(current, replicasOf(deployment));
  return finish(input, changes, false);
}

function oldPodsRun(
  { pods }: DeploymentSeen,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): boolean {
  if (old.some(one => (one.status?.replicas ?? 0) > 0)) return true;
  return pods.some(pod => controllerOf(pod)?.uid !== current?.metadata.uid && !isFinished(pod));
}

function finish(input: StatusInput, changes: ReplicaSetChanges, hasMoved: boolean): Decision {
  const { deployment, current, old, now } = input;
  const status = rolloutStatus(input);
  const isDone = !hasMoved && isComplete(deployment, deployment.status ?? {});
  return {
    writes: [
      ...writesOf({ deployment, current, changes }),
      ...(isDone ? cleanUpHistory(deployment, old) : []),
    ],
    status,
    afterSeconds: nextProgressCheck(deployment, status, now),
  };
}

/** Makes the new ReplicaSet; what follows from it is decided when it is seen. */
function create(seen: DeploymentSeen, input: StatusInput): Decision {
  const { deployment, old, now } = input;
  // Somebody else's, or another template with the same short name: the next name is tried.
  if (seen.namesake) {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    return { status: { ...deployment.status, collisionCount } };
  }
  const made = makeNew(deployment, old);
  const { name } = newName(deployment);
  const { replicas } = made.spec;
  const told = `Scaled up replica set ${name} from 0 to ${replicas}`;
  const said = hasDeadline(deployment)
    ? (['Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`] as const)
    : undefined;
  const conditions = said ? withCondition(input.conditions, conditionNow(said, now)) : input.conditions;
  const create: Write = {
    verb: 'create',
    object: made,
    ...(replicas > 0 ? { tell: () => normal('ScalingReplicaSet', told) } : {}),
  };
  const status = rolloutStatus({ ...input, conditions });
  return { writes: [create], status, statusAfterFailure: why => createFailed(input, name, why) };
}

function createFailed(input: StatusInput, name: string, why: string): DeploymentStatus {
  const message = `Failed to create new replica set "${name}": ${why}`;
  const failed = conditionNow(['Progressing', 'False', 'ReplicaSetCreateError', message], input.now);
  const conditions = hasDeadline(input.deployment)
    ? withCondition(input.conditions, failed)
    : input.conditions;
  return countedStatus({ ...input, conditions });
}

/** The changes of the ReplicaSets, and the revision, which the Deployment takes from the new one once that has it. */
function writesOf(of: {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  readonly changes: ReplicaSetChanges;
}): readonly Write[] {
  const { deployment, current, changes } = of;
  const revision = current && changes.annotationsOf(current)[revisionAnnotation];
  if (revision === undefined || deployment.metadata.annotations?.[revisionAnnotation] === revision) {
    return changes.writes();
  }
  const patch = { metadata: { annotations: { [revisionAnnotation]: revision } } };
  return [...changes.writes(), { verb: 'patch', object: deployment, patch }];
}

/** The conditions with a pause, or the end of one, that was not told yet. */
function pauseToTell(deployment: Deployment, now: number): readonly Condition[] | undefined {
  const conditions = deployment.status?.conditions ?? [];
  const reason = findCondition(conditions, 'Progressing')?.reason;
  const isTold = reason === 'DeploymentPaused';
  const isPaused = deployment.spec.paused === true;
  if (!hasDeadline(deployment) || deployment.metadata.deletionTimestamp !== undefined) return undefined;
  if (reason === 'ProgressDeadlineExceeded' || isTold === isPaused) return undefined;
  const said = isPaused
    ? (['Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused'] as const)
    : (['Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed'] as const);
  return withCondition(conditions, conditionNow(said, now));
}

/** The conditions of before, with what a ReplicaSet that was there already says about progress. */
function conditionsBefore(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  now: number,
): readonly Condition[] {
  const conditions = deployment.status?.conditions ?? [];
  if (!hasDeadline(deployment) || findCondition(conditions, 'Progressing') || !current) return conditions;
  const message = `Found new replica set "${current.metadata.name}"`;
  return withCondition(conditions, conditionNow(['Progressing', 'True', 'FoundNewReplicaSet', message], now));
}
