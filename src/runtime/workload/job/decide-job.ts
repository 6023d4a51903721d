import { nonZero } from '../object/amounts.ts';
import { type Condition, findCondition } from '../object/conditions.ts';
import type { Pod } from '../object/pod.ts';
import { momentOf, timestamp } from '../object/timestamps.ts';
import {
  type Decision,
  deletePod,
  type Note,
  normal,
  soonest,
  type Write,
  warning,
} from '../run/decision.ts';
import { completion, type Ending, endingOf, secondsToDeadline } from './ending.ts';
import { finishedAt, isSuspended, isTracked, type Job, type JobStatus } from './job.ts';
import { type Managed, managePods, readyAmong } from './manage-pods.ts';
import { tally } from './tally.ts';
import { track, untrack } from './tracking.ts';

/** What a Job is decided from: all Pods that it controls. */
export interface JobSeen {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly now: number;
}

/** Runs Pods until enough have succeeded or too many have failed, and says how it went. */
export function decideJob(seen: JobSeen): Decision {
  const { job, now } = seen;
  if (job.spec.managedBy !== undefined && job.spec.managedBy !== 'kubernetes.io/job-controller') return {};
  if (finishedAt(job) !== undefined) return afterTheEnd(seen);
  const started = withStart(job, now);
  return goOn({ ...seen, job: started });
}

function goOn({ job, pods, now }: JobSeen): Decision {
  const counted = tally(job, pods);
  const early = endingOf(job, pods, counted, now);
  const managed = early ? endPods(counted.active) : manage(job, pods, { tally: counted, now });
  const ending = early ?? completion(job, counted.succeeded, managed.active);
  const tracked = track(job, pods, { tally: counted, ending });
  const isOver = ending?.isSaid === true && tracked.isSettled && managed.removed.length === 0;
  const suspension = ending ? undefined : suspensionOf(job, now);
  const conditions = conditionsOf(job, { ending, isOver, suspension, now });
  const status: JobStatus = {
    ...(suspension?.startTime ?? startOf(job)),
    ...nonZero({ active: managed.active }),
    ready: counted.ready - readyAmong(managed.removed),
    terminating: counted.terminating + managed.removed.length,
    ...withoutZeros(tracked.counts),
    ...(isOver && ending.to === 'Complete' ? { completionTime: timestamp(now) } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
  };
  // Why it ends is on disk before its Pods are removed: whoever comes after a cut would take removed Pods for failures.
  const [before, after] = early ? [[], managed.writes] : [managed.writes, []];
  return {
    writes: before,
    status,
    writesAfterStatus: [...after, ...tracked.release.flatMap(untrack)],
    notes: [...(suspension?.notes ?? []), ...(isOver ? [endNote(ending)] : [])],
    afterSeconds: ending ? undefined : soonest(managed.afterSeconds, secondsToDeadline(job, now)),
  };
}

/** A Job that is being deleted makes and removes nothing; its Pods are let go. */
function manage(job: Job, pods: readonly Pod[], with_: Parameters<typeof managePods>[2]): Managed {
  if (job.metadata.deletionTimestamp === undefined) return managePods(job, pods, with_);
  return { writes: [], active: with_.tally.active.length, removed: [] };
}

function endPods(active: readonly Pod[]): Managed {
  return { writes: active.map(deletePod), active: 0, removed: active };
}

/** Nothing is kept back any more, and when its time has come the Job itself goes, its Pods first. */
function afterTheEnd({ job, pods, now }: JobSeen): Decision {
  const writes: readonly Write[] = pods.filter(isTracked).flatMap(untrack);
  const { ttlSecondsAfterFinished: ttl } = job.spec;
  const end = momentOf(finishedAt(job)) ?? now;
  if (ttl === undefined || job.metadata.deletionTimestamp !== undefined) return { writes };
  const left = ttl - (now - end) / 1000;
  if (left > 0) return { writes, afterSeconds: left };
  return { writes: [...writes, { verb: 'delete', object: job, propagation: 'Foreground' }] };
}

function withStart(job: Job, now: number): Job {
  if (job.status?.startTime !== undefined || isSuspended(job)) return job;
  return { ...job, status: { ...job.status, startTime: timestamp(now) } };
}

function startOf({ status }: Job): Pick<JobStatus, 'startTime'> {
  return status?.startTime === undefined ? {} : { startTime: status.startTime };
}

interface Suspension {
  readonly condition: Condition;
  readonly notes: readonly Note[];
  readonly startTime: Pick<JobStatus, 'startTime'>;
}

/** What changes when a Job is suspended or goes on: its time begins anew. */
function suspensionOf(job: Job, now: number): Suspension | undefined {
  if (job.metadata.deletionTimestamp !== undefined) return undefined;
  const known = findCondition(job.status?.conditions, 'Suspended')?.status ?? 'False';
  const wanted = isSuspended(job) ? 'True' : 'False';
  if (known === wanted) return undefined;
  const isOn = wanted === 'True';
  const [word, message] = isOn ? ['Suspended', 'Job suspended'] : ['Resumed', 'Job resumed'];
  return {
    condition: conditionNow(['Suspended', wanted, `Job${word}`, message], now),
    notes: [normal(word, message)],
    startTime: isOn ? {} : { startTime: timestamp(now) },
  };
}

function conditionsOf(
  { status }: Job,
  to: {
    readonly ending: Ending | undefined;
    readonly isOver: boolean;
    readonly suspension: Suspension | undefined;
    readonly now: number;
  },
): readonly Condition[] {
  const { ending, isOver, suspension, now } = to;
  const before = status?.conditions ?? [];
  const known = suspension ? put(before, suspension.condition) : before;
  if (!ending) return known;
  const { reason, message } = ending;
  const said = ending.to === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  if (!ending.isSaid) return put(known, conditionNow([said, 'True', reason, message], now));
  return isOver ? put(known, conditionNow([ending.to, 'True', reason, message], now)) : known;
}

function put(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  return conditions.some(({ type }) => type === condition.type)
    ? conditions.map(one => (one.type === condition.type ? condition : one))
    : [...conditions, condition];
}

function conditionNow(
  [type, status, reason, message]: readonly [type: string, status: string, reason: string, message: string],
  now: number,
): Condition {
  const time = timestamp(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

function endNote({ to, reason, message }: Ending): Note {
  return to === 'Complete' ? normal('Completed', 'Job completed') : warning(reason, message);
}

function withoutZeros(counts: ReturnType<typeof track>['counts']): ReturnType<typeof track>['counts'] {
  const { succeeded = 0, failed = 0, ...rest } = counts;
  return { ...rest, ...nonZero({ succeeded, failed }) };
}
