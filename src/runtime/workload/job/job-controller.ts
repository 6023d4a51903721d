import { partsOf } from '../../../reconcile/informer.ts';
import { controllerKey, controllerOf } from '../object/owner.ts';
import type { Pod } from '../object/pod.ts';
import { jobType, podType } from '../object/workload-kinds.ts';
import type { Decision } from '../run/decision.ts';
import type { View } from '../run/view.ts';
import type { Workload } from '../run/workload.ts';
import { decideJob, type JobSeen } from './decide-job.ts';
import { isTracked, type Job, trackingFinalizer } from './job.ts';
import { untrack } from './tracking.ts';

/** Under this index Pods that are yet to be counted are kept by the key of their Job. */
const uncounted = 'uncounted-of-job';

/** Jobs run Pods to their end. */
export const jobs: Workload<Job, JobSeen> = {
  type: jobType,
  component: 'job-controller',
  claims: [
    {
      type: podType,
      finalizers: [trackingFinalizer],
      indexes: { [uncounted]: pod => (isTracked(pod as Pod) ? [controllerKey(pod, 'Job') ?? ''] : []) },
    },
  ],
  observe: (job, view, now) => ({ job, pods: view.ownedBy<Pod>(job, podType), now }),
  decide: decideJob,
  cleanUp: releaseOrphans,
};

/** Pods of a Job that is gone are counted by nobody: nothing keeps them any more. */
function releaseOrphans(key: string, view: View): Decision {
  const { namespace, name } = partsOf(key);
  const uid = view.find(jobType, namespace, name)?.metadata.uid;
  const orphans = view.by<Pod>(podType, uncounted, key).filter(pod => controllerOf(pod)?.uid !== uid);
  return { writes: orphans.flatMap(untrack) };
}
