import type { Metadata, StoredObject } from '../../../cluster/cluster.ts';
import type { JobSpec } from '../job/job.ts';

/** What a controller looks at in a CronJob. */
export interface CronJob extends StoredObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: { readonly metadata?: Metadata; readonly spec: JobSpec };
  };
  readonly status?: CronJobStatus;
}

export interface CronJobStatus {
  readonly active?: readonly JobReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

export interface JobReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion?: string;
}

/** When a Job was due; only Jobs that the schedule made have it. */
export const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
