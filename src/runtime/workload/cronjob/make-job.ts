import type { ClusterObject } from '../../../cluster/cluster.ts';
import { ownerReference } from '../object/owner.ts';
import { namespaceOf } from '../object/pod-template.ts';
import { jobType } from '../object/workload-kinds.ts';
import { type CronJob, scheduledAnnotation } from './cron-job.ts';
import { zonedTimestamp } from './next-run.ts';

/** The Job of a run. It is named after its minute: the same run is never made twice. */
export function makeJob(cronJob: CronJob, time: number): ClusterObject {
  const { jobTemplate, timeZone = 'UTC' } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return {
    ...jobType,
    metadata: {
      name: `${cronJob.metadata.name}-${Math.floor(time / 60_000)}`,
      ...namespaceOf(cronJob),
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, [scheduledAnnotation]: zonedTimestamp(time, timeZone) },
      ownerReferences: [ownerReference(cronJob)],
    },
    spec: jobTemplate.spec,
  };
}
