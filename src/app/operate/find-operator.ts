import type { Clock } from '../../cluster/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { OperatorPresence } from '../../status/cloud-objects.ts';
import { leaseIsHeld, leaseSpecOf, leaseType } from '../operator/lease-held.ts';
import { leaseName } from '../operator/lease-name.ts';

/** Clocks of two machines may differ by so much. */
const graceSeconds = 30;

/** Whether an operator is at work in a cluster, as far as the leases tell; undefined for who may not see them. */
export async function findOperator(cluster: Cluster, clock: Clock): Promise<OperatorPresence | undefined> {
  try {
    const { items } = await cluster.list(leaseType, { fieldSelector: `metadata.name=${leaseName}` });
    if (items.length === 0) return { state: 'none' };
    if (items.some(lease => leaseIsHeld(lease, clock.wall(), graceSeconds))) return { state: 'leads' };
    const [last] = items
      .map(lease => leaseSpecOf(lease).renewTime ?? '')
      .toSorted()
      .reverse();
    return { state: 'gone', ...(last ? { lastSeenAt: last } : {}) };
  } catch (error) {
    if (isReason(error, 'Forbidden')) return undefined;
    throw error;
  }
}
