import type { Pod } from '../object/pod.ts';
import { finishedTime, remaining } from './back-off.ts';
import { parseIndexes } from './index-set.ts';
import { hasFailed, indexOf, isTracked, type Job } from './job.ts';
import { judgeFailure } from './policies.ts';

const failuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Each part of the Job has failures of its own to spend. */
export function countsByIndex({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed' && spec.backoffLimitPerIndex !== undefined;
}

/** The parts that have failed too often, or in a way that no second try helps. */
export function failedIndexes(job: Job, pods: readonly Pod[]): ReadonlySet<number> {
  if (!countsByIndex(job)) return new Set();
  const failed = parseIndexes(job.status?.failedIndexes, job.spec.completions ?? 0);
  for (const pod of pods.filter(one => isTracked(one) && hasFailed(one, job))) {
    const index = indexOf(pod, job);
    if (index !== undefined && isLastFailure(job, pod)) failed.add(index);
  }
  return failed;
}

/**
 * The last Pod of each part that failed and is to be tried again. It is kept until the next one is there, which takes over from
 * it how often the part has failed.
 */
export function lastFailures(
  job: Job,
  pods: readonly Pod[],
  settled: ReadonlySet<number | undefined>,
): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  if (!countsByIndex(job)) return last;
  for (const pod of pods.filter(one => isTracked(one) && hasFailed(one, job))) {
    const index = indexOf(pod, job);
    if (index === undefined || settled.has(index)) continue;
    const known = last.get(index);
    const isLater = !known || (triesOf(known) <= triesOf(pod) && finishedTime(known) <= finishedTime(pod));
    if (isLater) last.set(index, pod);
  }
  return last;
}

/** The seconds until a part may be tried again. */
export function waitOf(last: Pod | undefined, now: number): number {
  return last ? remaining(triesOf(last) + 1, finishedTime(last), now) : 0;
}

/** What a Pod says of the failures of its part before it. */
export function failureMarks(job: Job, last: Pod | undefined): Record<string, string> {
  if (!countsByIndex(job)) return {};
  const isIgnored = last !== undefined && judgeFailure(job, last).action === 'Ignore';
  const failures = numberIn(last, failuresAnnotation) + (last && !isIgnored ? 1 : 0);
  const ignored = numberIn(last, ignoredAnnotation) + (isIgnored ? 1 : 0);
  return {
    [failuresAnnotation]: String(failures),
    ...(ignored > 0 ? { [ignoredAnnotation]: String(ignored) } : {}),
  };
}

function isLastFailure(job: Job, pod: Pod): boolean {
  const { action } = judgeFailure(job, pod);
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && numberIn(pod, failuresAnnotation) >= (job.spec.backoffLimitPerIndex ?? 0);
}

function triesOf(pod: Pod): number {
  return numberIn(pod, failuresAnnotation) + numberIn(pod, ignoredAnnotation);
}

function numberIn(pod: Pod | undefined, annotation: string): number {
  const text = pod?.metadata.annotations?.[annotation] ?? '0';
  return /^\d+$/.test(text) ? Number(text) : 0;
}
