import { isActive, isReady, isTerminating, type Pod, phaseOf } from '../object/pod.ts';
import { failedIndexes, lastFailures } from './failed-indexes.ts';
import { parseIndexes } from './index-set.ts';
import { hasFailed, indexOf, isIndexed, isTracked, type Job } from './job.ts';
import { judgeFailure } from './policies.ts';

/** How a Job stands: what its status has counted, and what is yet to be counted. */
export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of an indexed Job: what is done according to its status, and with what is new. */
  readonly countedIndexes: ReadonlySet<number>;
  readonly succeededIndexes: ReadonlySet<number>;
  /** Where each part has failures of its own: those that are given up, and the last Pod of those to be tried again. */
  readonly failedIndexes: ReadonlySet<number>;
  readonly lastFailures: ReadonlyMap<number, Pod>;
}

/** Counts each Pod once: it is in the status, or in the list of the uncounted there, or it still has its finalizer. */
export function tally(job: Job, pods: readonly Pod[]): Tally {
  const { status = {}, spec } = job;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const fresh = pods.filter(pod => isTracked(pod) && (!isIndexed(job) || indexOf(pod, job) !== undefined));
  const ended = fresh.filter(
    ({ metadata }) =>
      !uncounted.succeeded?.includes(metadata.uid) && !uncounted.failed?.includes(metadata.uid),
  );
  const newFailed = ended.filter(pod => hasFailed(pod, job) && judgeFailure(job, pod).action !== 'Ignore');
  const newSucceeded = ended.filter(pod => phaseOf(pod) === 'Succeeded');
  const countedIndexes = parseIndexes(status.completedIndexes, spec.completions ?? 0);
  const succeededIndexes = new Set([
    ...countedIndexes,
    ...newSucceeded.flatMap(pod => indexOf(pod, job) ?? []),
  ]);
  const active = pods.filter(isActive);
  const lost = failedIndexes(job, pods);
  const settled = new Set([...succeededIndexes, ...lost, ...active.map(pod => indexOf(pod, job))]);
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: isIndexed(job)
      ? succeededIndexes.size
      : (status.succeeded ?? 0) + newSucceeded.length + (uncounted.succeeded?.length ?? 0),
    failed: (status.failed ?? 0) + newFailed.length + (uncounted.failed?.length ?? 0),
    countedIndexes,
    succeededIndexes,
    failedIndexes: lost,
    lastFailures: lastFailures(job, pods, settled),
  };
}
