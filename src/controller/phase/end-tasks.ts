import { phaseLabel } from '../../api/labels.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { PhasePorts, PhaseRun } from '../../phase/phase-run.ts';

/** A phase that failed leaves nothing running: tasks of it that have not ended are taken away. What ended stays, for a look. */
export function endTasks({ namespace, name }: PhaseRun, { cluster }: PhasePorts): Promise<void> {
  return endJobs(cluster, namespace, name);
}

/** Takes away the Jobs of a phase, by its label, that have not ended. */
export async function endJobs(
  cluster: PhasePorts['cluster'],
  namespace: string,
  label: string,
): Promise<void> {
  const { items } = await cluster.list(
    { apiVersion: 'batch/v1', kind: 'Job' },
    { namespace, labelSelector: `${phaseLabel}=${label}` },
  );
  for (const job of items) {
    const { conditions = [] } = (job['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
    const isOver = conditions.some(
      ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
    );
    if (isOver) continue;
    try {
      const { apiVersion, kind, metadata } = job;
      const ref = { apiVersion, kind, name: metadata.name, namespace };
      await cluster.delete(ref, { propagation: 'Background', preconditions: { uid: metadata.uid } });
    } catch (error) {
      if (!isReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }
}
