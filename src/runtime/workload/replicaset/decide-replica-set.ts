import { nonZero } from '../object/amounts.ts';
import { type Condition, withCondition, withoutCondition } from '../object/conditions.ts';
import { firstToGo } from '../object/first-to-go.ts';
import { isActive, isAvailable, isReady, isTerminating, nextAvailability, type Pod } from '../object/pod.ts';
import { podOf } from '../object/pod-template.ts';
import { timestamp } from '../object/timestamps.ts';
import { createPod, type Decision, deletePod } from '../run/decision.ts';
import type { ReplicaSet, ReplicaSetStatus } from './replica-set.ts';

/** What a ReplicaSet is decided from: all Pods that it controls. */
export interface ReplicaSetSeen {
  readonly replicaSet: ReplicaSet;
  readonly pods: readonly Pod[];
  readonly now: number;
}

/** The most Pods that are made or removed in one pass: the next one sees how that went. */
const burst = 500;

/** As many Pods as asked for: what is missing is made, what is too much goes, the least useful first. */
export function decideReplicaSet(seen: ReplicaSetSeen): Decision {
  const { replicaSet, pods, now } = seen;
  const active = pods.filter(isActive);
  const surplus = active.length - (replicaSet.spec.replicas ?? 1);
  const isLeaving = replicaSet.metadata.deletionTimestamp !== undefined;
  return {
    writes: isLeaving ? [] : scale(replicaSet, active, { surplus, now }),
    status: statusOf(seen, active, undefined),
    statusAfterFailure: why => statusOf(seen, active, failure(surplus, why, now)),
    afterSeconds: nextAvailability(active, replicaSet.spec.minReadySeconds ?? 0, now),
  };
}

function scale(replicaSet: ReplicaSet, active: readonly Pod[], by: { surplus: number; now: number }) {
  const number = Math.min(Math.abs(by.surplus), burst);
  if (by.surplus > 0) return firstToGo(active, by.now).slice(0, number).map(deletePod);
  return Array.from({ length: number }, () => createPod(podOf(replicaSet, replicaSet.spec.template)));
}

/** The counts are of what was there before this pass: its own writes bring about the next one. */
function statusOf(
  { replicaSet, pods, now }: ReplicaSetSeen,
  active: readonly Pod[],
  failed: Condition | undefined,
): ReplicaSetStatus {
  const { minReadySeconds = 0, template } = replicaSet.spec;
  const wanted = Object.entries(template.metadata?.labels ?? {});
  const conditions = conditionsOf(replicaSet.status?.conditions ?? [], failed);
  return {
    replicas: active.length,
    ...nonZero({
      fullyLabeledReplicas: active.filter(pod =>
        wanted.every(([key, value]) => pod.metadata.labels?.[key] === value),
      ).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: active.filter(pod => isAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: replicaSet.metadata.generation ?? 0,
    }),
    terminatingReplicas: pods.filter(isTerminating).length,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

function conditionsOf(before: readonly Condition[], failed: Condition | undefined): readonly Condition[] {
  return failed ? withCondition(before, failed) : withoutCondition(before, 'ReplicaFailure');
}

function failure(surplus: number, why: string, now: number): Condition {
  return {
    type: 'ReplicaFailure',
    status: 'True',
    reason: surplus < 0 ? 'FailedCreate' : 'FailedDelete',
    message: why,
    lastTransitionTime: timestamp(now),
  };
}
