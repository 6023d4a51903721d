import { managedBy, managedByLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';

const home = 'default';
const name = 'afloat-manager';

/** How often a change of somebody else is taken in before we give up: two managers that start at once need two. */
const mostAttempts = 20;

/**
 * The number of this manager: one more than that of any before it, by compare and swap. Each phase carries the number of who acts on
 * it, so that one who has been relieved, and does not know it yet, cannot.
 */
export async function takeEpoch(cluster: Cluster): Promise<number> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const epoch = await tryToTake(cluster);
    if (epoch !== undefined) return epoch;
  }
  throw new CodedError('ClusterConflict', 'other managers start again and again; only one may run');
}

async function tryToTake(cluster: Cluster): Promise<number | undefined> {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: home, name };
  try {
    const found = await cluster.get(ref).catch((error: unknown) => {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    });
    const before = Number((found?.['data'] as { epoch?: string } | undefined)?.epoch ?? 0);
    const epoch = (Number.isSafeInteger(before) ? before : 0) + 1;
    const data = { epoch: `${epoch}` };
    if (found) await cluster.update({ ...found, data });
    else
      await cluster.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: home, labels: { [managedByLabel]: managedBy } },
        data,
      });
    return epoch;
  } catch (error) {
    if (isReason(error, 'Conflict', 'AlreadyExists')) return undefined;
    throw error;
  }
}
