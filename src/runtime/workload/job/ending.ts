import { sum } from '../object/amounts.ts';
import { findCondition } from '../object/conditions.ts';
import { type Pod, phaseOf } from '../object/pod.ts';
import { momentOf } from '../object/timestamps.ts';
import { hasFailed, isIndexed, isSuspended, type Job } from './job.ts';
import { judgeFailure, successByPolicy } from './policies.ts';
import type { Tally } from './tally.ts';

/** How a Job ends. It is said first as what is to come, and as done when all its Pods have ended and are counted. */
export interface Ending {
  readonly to: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
  /** It is in the status already. */
  readonly isSaid: boolean;
}

/** Why a Job ends before its Pods have done all; undefined while it goes on. What was said once stays so. */
export function endingOf(job: Job, pods: readonly Pod[], tally: Tally, now: number): Ending | undefined {
  const said = saidEnding(job);
  if (said) return said;
  for (const pod of pods) {
    const { message } = hasFailed(pod, job) ? judgeFailure(job, pod) : {};
    if (message !== undefined) return failed('PodFailurePolicy', message);
  }
  if (tally.failed > (job.spec.backoffLimit ?? 6) || restartsAreTooMany(job, pods))
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if (secondsToDeadline(job, now) === 0)
    return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  const lost = lostIndexes(job, tally);
  if (lost) return lost;
  const met = isIndexed(job) ? successByPolicy(job, tally.succeededIndexes) : undefined;
  return met === undefined
    ? undefined
    : { to: 'Complete', reason: 'SuccessPolicy', message: met, isSaid: false };
}

/** All that was asked for is done and nothing runs any more. */
export function completion({ spec }: Job, succeeded: number, active: number): Ending | undefined {
  const isDone = spec.completions === undefined ? succeeded > 0 : succeeded >= spec.completions;
  if (!isDone || active > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { to: 'Complete', reason: 'CompletionsReached', message, isSaid: false };
}

/** The seconds until the deadline; 0 when it has passed, undefined without one. A Job that is suspended has none. */
export function secondsToDeadline(job: Job, now: number): number | undefined {
  const start = momentOf(job.status?.startTime) ?? now;
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || isSuspended(job)) return undefined;
  return Math.max(0, activeDeadlineSeconds - (now - start) / 1000);
}

function saidEnding({ status }: Job): Ending | undefined {
  for (const [type, to] of [
    ['SuccessCriteriaMet', 'Complete'],
    ['FailureTarget', 'Failed'],
  ] as const) {
    const condition = findCondition(status?.conditions, type);
    if (condition?.status !== 'True') continue;
    return { to, reason: condition.reason ?? '', message: condition.message ?? '', isSaid: true };
  }
  return undefined;
}

/** More parts have failed than may, or what has not failed is done. */
function lostIndexes({ spec }: Job, { failedIndexes, succeededIndexes }: Tally): Ending | undefined {
  if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failed('MaxFailedIndexesExceeded', message);
  }
  const isThrough = failedIndexes.size + succeededIndexes.size >= (spec.completions ?? 0);
  return failedIndexes.size > 0 && isThrough ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

/** Pods that are restarted where they are fail without ending: their restarts count. */
function restartsAreTooMany({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const running = pods.filter(pod => phaseOf(pod) === 'Running' || phaseOf(pod) === 'Pending');
  const restarts = sum(running, ({ status }) =>
    sum(
      [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])],
      one => one.restartCount,
    ),
  );
  const limit = spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function failed(reason: string, message: string): Ending {
  return { to: 'Failed', reason, message, isSaid: false };
}
