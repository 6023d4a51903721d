import { isTerminating, type Pod, phaseOf } from '../object/pod.ts';
import type { Write } from '../run/decision.ts';
import type { Ending } from './ending.ts';
import { countsByIndex } from './failed-indexes.ts';
import { formatIndexes } from './index-set.ts';
import {
  hasFailed,
  indexOf,
  isIndexed,
  isTracked,
  type Job,
  type JobStatus,
  trackingFinalizer,
} from './job.ts';
import { judgeFailure } from './policies.ts';
import type { Tally } from './tally.ts';

/** The counts after this pass, and the Pods that may be let go once these counts are on disk. */
export interface Tracked {
  readonly counts: Pick<
    JobStatus,
    'succeeded' | 'failed' | 'completedIndexes' | 'failedIndexes' | 'uncountedTerminatedPods'
  >;
  readonly release: readonly Pod[];
  /** Nothing is left to be counted, and nothing is ending. */
  readonly isSettled: boolean;
}

/** The most Pods that are uncounted at a time: their uids stand in the status. */
const mostUncounted = 500;

/**
 * Counts Pods that have ended, each exactly once, wherever a pass is cut off: first their uids are written into the status, then
 * their finalizers are taken away, and when these are seen to be gone the uids become a number.
 */
export function track(
  job: Job,
  pods: readonly Pod[],
  { tally, ending }: { readonly tally: Tally; readonly ending: Ending | undefined },
): Tracked {
  const { status = {} } = job;
  const kept = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const uncounted = {
    succeeded: succeeded.filter(uid => kept.has(uid)),
    failed: failed.filter(uid => kept.has(uid)),
  };
  const counts = {
    succeeded: (status.succeeded ?? 0) + succeeded.length - uncounted.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - uncounted.failed.length,
  };
  const indexes = new Set(tally.countedIndexes);
  const release = pods.filter(pod => {
    if (!isTracked(pod) || !mayBeReleased(job, pod, { tally, ending })) return false;
    const list = listFor(job, pod, ending);
    if (!list) return true;
    const index = indexOf(pod, job);
    if (!isIndexed(job) || (index !== undefined && list === 'failed')) return add(uncounted, list, pod);
    // What is done is known by its index; nothing else needs to be remembered.
    if (index !== undefined) indexes.add(index);
    return true;
  });
  const isIdle = release.length + uncounted.succeeded.length + uncounted.failed.length === 0;
  return {
    counts: {
      ...counts,
      ...(isIndexed(job) ? { succeeded: indexes.size } : {}),
      ...(indexes.size > 0 ? { completedIndexes: formatIndexes(indexes) } : {}),
      ...(countsByIndex(job) ? { failedIndexes: formatIndexes(tally.failedIndexes) } : {}),
      uncountedTerminatedPods: withoutEmpty(uncounted),
    },
    release,
    isSettled: isIdle && !pods.some(isTerminating),
  };
}

type Uncounted = Record<'succeeded' | 'failed', string[]>;

/** Puts a Pod on a list, if it is not there yet; false when there is no room, and the Pod must wait. */
function add(uncounted: Uncounted, list: keyof Uncounted, { metadata }: Pod): boolean {
  if (uncounted[list].includes(metadata.uid)) return true;
  if (uncounted.succeeded.length + uncounted.failed.length >= mostUncounted) return false;
  uncounted[list].push(metadata.uid);
  return true;
}

/** Takes the finalizer away; a Pod without it is left as it is. */
export function untrack(pod: Pod): readonly Write[] {
  return isTracked(pod) ? [{ verb: 'release', object: pod, finalizer: trackingFinalizer }] : [];
}

function mayBeReleased(job: Job, pod: Pod, { tally, ending }: Parameters<typeof track>[2]): boolean {
  if (job.metadata.deletionTimestamp !== undefined || ending !== undefined) return true;
  if (phaseOf(pod) === 'Succeeded') return true;
  const index = indexOf(pod, job);
  const isKept = index !== undefined && tally.lastFailures.get(index)?.metadata.uid === pod.metadata.uid;
  return hasFailed(pod, job) && !isKept;
}

/** Where a Pod is counted. When the Job fails, all that have not succeeded have failed. */
function listFor(job: Job, pod: Pod, ending: Ending | undefined): 'succeeded' | 'failed' | undefined {
  const { uncountedTerminatedPods: uncounted } = job.status ?? {};
  if (uncounted?.failed?.includes(pod.metadata.uid)) return 'failed';
  if (phaseOf(pod) === 'Succeeded') return 'succeeded';
  if (!hasFailed(pod, job) && ending?.to !== 'Failed') return undefined;
  return judgeFailure(job, pod).action === 'Ignore' ? undefined : 'failed';
}

function withoutEmpty(uncounted: Uncounted): Partial<Uncounted> {
  return Object.fromEntries(Object.entries(uncounted).filter(([, uids]) => uids.length > 0));
}
