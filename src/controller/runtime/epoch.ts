import { managedBy, managedByLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import { type PhaseObject, phaseTypes } from '../our-objects.ts';

/** The ConfigMap that holds the number. */
export const epochName = 'afloat-manager';

/** Where managers of a whole cluster keep their number: one place for all of them, wherever they are installed. */
export const clusterHome = 'default';

/** Where the number of the newest manager is kept: one of a single namespace keeps it there. */
export function epochRef(home: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: home, name: epochName } as const;
}

/** How often a change of somebody else is taken in before we give up: two managers that start at once need two. */
const mostAttempts = 20;

/**
 * The number of this manager: one more than that of any before it, by compare and swap. Each phase carries the number of who acts on
 * it, so that one who has been relieved, and does not know it yet, cannot. With a namespace: among the managers of that namespace.
 */
export async function takeEpoch(cluster: Cluster, namespace?: string): Promise<number> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const epoch = await tryToTake(cluster, namespace);
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
export async function newestEpoch(cluster: Cluster, home: string = clusterHome): Promise<number> {
  return epochIn(await findObject(cluster, epochRef(home)));
}

async function highestOnPhases(cluster: Cluster, namespace: string | undefined): Promise<number> {
  let highest = 0;
  for (const type of phaseTypes) {
    const { items } = await cluster.list(type, namespace === undefined ? {} : { namespace });
    for (const { status } of items as readonly PhaseObject[]) highest = Math.max(highest, status?.epoch ?? 0);
  }
  return highest;
}

async function tryToTake(cluster: Cluster, namespace: string | undefined): Promise<number | undefined> {
  const ref = epochRef(namespace ?? clusterHome);
  try {
    const found = await findObject(cluster, ref);
    // Where the number was lost, the phases still carry those of the managers that acted on them.
    const epoch = (epochIn(found) || (await highestOnPhases(cluster, namespace))) + 1;
    const data = { epoch: `${epoch}` };
    if (found) await cluster.update({ ...found, data });
    else
      await cluster.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: epochName, namespace: ref.namespace, labels: { [managedByLabel]: managedBy } },
        data,
      });
    return epoch;
  } catch (error) {
    if (isReason(error, 'Conflict', 'AlreadyExists')) return undefined;
    throw error;
  }
}
