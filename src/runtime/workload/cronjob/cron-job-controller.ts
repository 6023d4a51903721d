import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Job } from '../job/job.ts';
import { controllerKey } from '../object/owner.ts';
import { cronJobType, jobType } from '../object/workload-kinds.ts';
import type { Workload } from '../run/workload.ts';
import type { CronJob } from './cron-job.ts';
import { type CronJobSeen, decideCronJob } from './decide-cron-job.ts';

/** Asked once: it costs more than the rest of a pass. */
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** CronJobs make Jobs. They have no selector: an orphan is never theirs. */
export const cronJobs: Workload<CronJob, CronJobSeen> = {
  type: cronJobType,
  component: 'cronjob-controller',
  claims: [],
  looksAt: [
    {
      type: jobType,
      keysOf: (job: StoredObject) => [controllerKey(job, 'CronJob')].filter(key => key !== undefined),
    },
  ],
  observe: (cronJob, view, now) => ({
    cronJob,
    jobs: view.ownedBy<Job>(cronJob, jobType),
    localZone,
    now,
  }),
  decide: decideCronJob,
};
