import { conditionOf, type Pod, phaseOf } from '../object/pod.ts';
import { momentOf } from '../object/timestamps.ts';
import { hasFailed, type Job } from './job.ts';

const firstSeconds = 10;
const mostSeconds = 600;

/**
 * How many seconds a Job waits before it makes further Pods: after a failure ten, twice as long after each further one, from
 * the beginning again after a success. Worked out from the Pods that are there, so that a new manager knows it too.
 */
export function backOffSeconds(job: Job, pods: readonly Pod[], now: number): number {
  const lastSuccess = Math.max(
    -Infinity,
    ...pods.filter(pod => phaseOf(pod) === 'Succeeded').map(ended => finishedTime(ended)),
  );
  const failures = pods
    .filter(pod => hasFailed(pod, job))
    .map(finishedTime)
    .filter(time => time > lastSuccess);
  return remaining(failures.length, Math.max(-Infinity, ...failures), now);
}

/** What is left of the wait after so many failures, the last of them at that time. */
export function remaining(failures: number, lastFailure: number, now: number): number {
  if (failures === 0) return 0;
  const wait = Math.min(firstSeconds * 2 ** (failures - 1), mostSeconds);
  return Math.max(0, wait - (now - lastFailure) / 1000);
}

/** When a Pod ended, as well as that can be known. */
export function finishedTime(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(one => momentOf(one.state?.terminated?.finishedAt));
  if (ends.length > 0 && ends.every(end => end !== undefined)) return Math.max(...ends);
  const ready = conditionOf(pod, 'Ready');
  const notReady = ready?.status === 'False' ? momentOf(ready.lastTransitionTime) : undefined;
  if (notReady !== undefined) return notReady;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  const deletion = momentOf(deletionTimestamp);
  return deletion === undefined
    ? Date.parse(creationTimestamp)
    : deletion - deletionGracePeriodSeconds * 1000;
}
