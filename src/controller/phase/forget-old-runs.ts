import { phaseLabel, taskLabel } from '../../api/labels.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { PhasePorts, PhaseRun } from '../../phase/phase-run.ts';
import { byAge } from '../our-objects.ts';

/** So many runs of each repeated task are kept, for a look. */
const runsKept = 3;

/** Takes away the oldest runs of what a phase repeats, beyond the last three of each task. One that has not ended stays. */
export async function forgetOldRuns(run: PhaseRun, { cluster }: PhasePorts): Promise<void> {
  const { items } = await cluster.list(
    { apiVersion: 'batch/v1', kind: 'Job' },
    { namespace: run.namespace, labelSelector: `${phaseLabel}=${run.name}` },
  );
  const taskOf = ({ metadata }: StoredObject) => metadata.labels?.[taskLabel];
  for (const task of new Set(items.map(taskOf))) {
    const jobs = items.filter(job => taskOf(job) === task).toSorted(byAge);
    for (const job of jobs.slice(0, -runsKept)) {
      const { conditions = [] } = (job['status'] ?? {}) as {
        conditions?: { type: string; status: string }[];
      };
      if (!conditions.some(({ type, status }) => /^(Complete|Failed)$/.test(type) && status === 'True'))
        continue;
      const { apiVersion, kind, metadata } = job;
      const ref = { apiVersion, kind, name: metadata.name, namespace: run.namespace };
      try {
        await cluster.delete(ref, { propagation: 'Background', preconditions: { uid: metadata.uid } });
      } catch (error) {
        if (!isReason(error, 'NotFound', 'Conflict')) throw error;
      }
    }
  }
}
