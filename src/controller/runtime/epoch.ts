import { managedBy, managedByLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import { type PhaseObject, phaseTypes } from '../our-objects.ts';

const home = 'default';
const name = 'afloat-manager';

/** Where the number of the newest manager is kept. */
export const epochRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace: home, name } as const;

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

/** The number that is kept there; 0 where there is none. */
export function epochIn(object: StoredObject | undefined): number {
  const epoch = Number((object?.['data'] as { epoch?: string } | undefined)?.epoch ?? 0);
  return Number.isSafeInteger(epoch) ? epoch : 0;
}

/** The number of the newest manager. */
export async function newestEpoch(cluster: Cluster): Promise<number> {
  return epochIn(await findObject(cluster, epochRef));
}

async function highestOnPhases(cluster: Cluster): Promise<number> {
  let highest = 0;
  for (const type of phaseTypes) {
    const { items } = await cluster.list(type);
    for (const { status } of items as readonly PhaseObject[]) highest = Math.max(highest, status?.epoch ?? 0);
  }
  return highest;
}

async function tryToTake(cluster: Cluster): Promise<number | undefined> {
  try {
    const found = await findObject(cluster, epochRef);
    // Where the number was lost, the phases still carry those of the managers that acted on them.
    const epoch = (epochIn(found) || (await highestOnPhases(cluster))) + 1;
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
