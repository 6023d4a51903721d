import type { Job } from '../job/job.ts';
import { isTrue } from '../object/conditions.ts';
import { normal, type Write } from '../run/decision.ts';
import type { CronJob } from './cron-job.ts';

/** Removes the oldest finished Jobs beyond those that are kept, of the good and of the bad each. */
export function cleanUpJobs({ spec }: CronJob, jobs: readonly Job[]): readonly Write[] {
  const { successfulJobsHistoryLimit: good, failedJobsHistoryLimit: bad } = spec;
  return [
    ...surplus(
      jobs.filter(job => isTrue(job.status?.conditions, 'Complete')),
      good,
    ),
    ...surplus(
      jobs.filter(job => isTrue(job.status?.conditions, 'Failed')),
      bad,
    ),
  ];
}

function surplus(jobs: readonly Job[], limit: number | undefined): readonly Write[] {
  if (limit === undefined) return [];
  const there = jobs.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return there
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .slice(0, Math.max(0, there.length - limit))
    .map(object => ({
      verb: 'delete',
      object,
      tell: name => normal('SuccessfulDelete', `Deleted job ${name}`),
    }));
}

function orderOf({ metadata, status }: Job): string {
  return `${status?.startTime ?? '9'} ${metadata.name}`;
}
