import { parseSchedule, type Schedule } from '../../../base/cron-schedule.ts';
import { finishedAt, type Job } from '../job/job.ts';
import { isTrue } from '../object/conditions.ts';
import { momentOf, timestamp } from '../object/timestamps.ts';
import { type Decision, type Note, normal, type Write, warning } from '../run/decision.ts';
import { cleanUpJobs } from './clean-up-jobs.ts';
import { type CronJob, type CronJobStatus, type JobReference, scheduledAnnotation } from './cron-job.ts';
import { lastDue } from './due.ts';
import { makeJob } from './make-job.ts';
import { isTimeZone, nextRun } from './next-run.ts';

/** What a CronJob is decided from. */
export interface CronJobSeen {
  readonly cronJob: CronJob;
  /** All Jobs that it controls. */
  readonly jobs: readonly Job[];
  /** The zone of this machine, for a schedule that names none. */
  readonly localZone: string;
  readonly now: number;
}

/** A tenth of a second late, so that a clock that is a little early does not make a pass for nothing. */
const latenessSeconds = 0.1;

/** Makes a Job when one is due, and keeps account of those there are. */
export function decideCronJob(seen: CronJobSeen): Decision {
  const { cronJob, jobs } = seen;
  const account = accountOf(cronJob, jobs);
  const base = { writes: cleanUpJobs(cronJob, jobs), status: account.status, notes: account.notes };
  if (cronJob.metadata.deletionTimestamp !== undefined) return { status: account.status };
  const { timeZone, schedule: text, suspend } = cronJob.spec;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    return withNote(
      base,
      warning('UnknownTimeZone', `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`),
    );
  }
  if (suspend === true) return base;
  const schedule = parseSchedule(text);
  if (!schedule) return withNote(base, warning('UnparseableSchedule', `unparseable schedule: "${text}"`));
  return runWhatIsDue(seen, schedule, base);
}

type Base = Required<Pick<Decision, 'writes' | 'notes'>> & { readonly status: CronJobStatus };

function runWhatIsDue(seen: CronJobSeen, schedule: Schedule, base: Base): Decision {
  const { cronJob, now } = seen;
  const zone = cronJob.spec.timeZone ?? seen.localZone;
  const next = nextRun(schedule, now, zone);
  const again = next === undefined ? {} : { afterSeconds: (next - now) / 1000 + latenessSeconds };
  const { time, isTooManyMissed } = lastDue(schedule, [earliestOf(cronJob, now), now], zone);
  if (time === undefined) return { ...base, ...again };
  const missed = isTooManyMissed
    ? [
        warning(
          'TooManyMissedTimes',
          'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
        ),
      ]
    : [];
  return { ...start(seen, time, { ...base, notes: [...base.notes, ...missed] }), ...again };
}

/** Starts the Job of that moment, as far as the Jobs that still run allow it. */
function start({ cronJob, jobs, now }: CronJobSeen, time: number, base: Base): Decision {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  if (deadline !== undefined && time + deadline * 1000 < now) {
    const message = `Missed scheduled time to start a job: ${longDate(time)}`;
    return withNote(base, warning('MissSchedule', message));
  }
  if (momentOf(cronJob.status?.lastScheduleTime) === time) return base;
  const status = { ...base.status, lastScheduleTime: timestamp(time) };
  const made = makeJob(cronJob, time);
  // A pass before this one made it and was cut off.
  if (jobs.some(({ metadata }) => metadata.name === made.metadata.name)) return { ...base, status };
  const running = runningOf(jobs);
  if (concurrencyPolicy === 'Forbid' && running.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return withNote(base, normal('JobAlreadyActive', message));
  }
  const replaced = concurrencyPolicy === 'Replace' ? running : [];
  const create: Write = {
    verb: 'create',
    object: made,
    tell: name => normal('SuccessfulCreate', `Created job ${name}`),
    tellFailure: (_, why) => warning('FailedCreate', `Error creating job: ${why}`),
  };
  const removals = replaced.map(
    (object): Write => ({
      verb: 'delete',
      object,
      tell: name => normal('SuccessfulDelete', `Deleted job ${name}`),
    }),
  );
  return { ...base, writes: [...base.writes, ...removals, create], status: without(status, replaced) };
}

/** From when on runs are looked for: the last one, or the beginning, but not longer ago than a run may be late. */
function earliestOf({ metadata, spec, status }: CronJob, now: number): number {
  const since = momentOf(status?.lastScheduleTime) ?? Date.parse(metadata.creationTimestamp);
  const { startingDeadlineSeconds: deadline } = spec;
  return deadline === undefined ? since : Math.max(since, now - deadline * 1000);
}

/** Which Jobs run, and when one last succeeded. */
function accountOf(
  cronJob: CronJob,
  jobs: readonly Job[],
): { status: CronJobStatus; notes: readonly Note[] } {
  const { active: before = [], lastSuccessfulTime, ...rest } = cronJob.status ?? {};
  const active = runningOf(jobs).map(
    job => before.find(one => one.uid === job.metadata.uid) ?? referenceTo(job),
  );
  const successes = jobs.flatMap(({ status }) => status?.completionTime ?? []);
  const last = [lastSuccessfulTime, ...successes]
    .filter(time => time !== undefined)
    .sort()
    .at(-1);
  const notes = before
    .filter(({ uid }) => !active.some(one => one.uid === uid))
    .map(({ uid, name }) =>
      endNote(
        name,
        jobs.find(({ metadata }) => metadata.uid === uid),
      ),
    );
  return {
    status: {
      ...rest,
      ...(active.length > 0 ? { active } : {}),
      ...(last === undefined ? {} : { lastSuccessfulTime: last }),
    },
    notes,
  };
}

/** The Jobs that the schedule made and that are not over. */
function runningOf(jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(
    job => finishedAt(job) === undefined && job.metadata.annotations?.[scheduledAnnotation] !== undefined,
  );
}

function endNote(name: string, job: Job | undefined): Note {
  if (!job) return normal('MissingJob', `Active job went missing: ${name}`);
  const condition = isTrue(job.status?.conditions, 'Complete') ? 'Complete' : 'Failed';
  return normal('SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
}

function referenceTo({ apiVersion, kind, metadata }: Job): JobReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion };
}

function without(status: CronJobStatus, replaced: readonly Job[]): CronJobStatus {
  const { active = [], ...rest } = status;
  const left = active.filter(({ uid }) => !replaced.some(({ metadata }) => metadata.uid === uid));
  return left.length > 0 ? { ...rest, active: left } : rest;
}

function withNote(base: Base, note: Note): Decision {
  return { ...base, notes: [...base.notes, note] };
}

/** As mail has it: `Thu, 01 Jan 2026 00:00:00 +0000`. */
function longDate(time: number): string {
  return new Date(time).toUTCString().replace('GMT', '+0000');
}
