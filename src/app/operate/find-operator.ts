import type { Clock } from '../../cluster/clock.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { OperatorPresence } from '../../status/cloud-objects.ts';
import { leaseName } from '../operator/lease-name.ts';

/** What is read of a Lease. */
interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}

/** Clocks of two machines may differ by so much. */
const graceSeconds = 30;

/** Whether an operator is at work in a cluster, as far as the leases tell; undefined for who may not see them. */
export async function findOperator(cluster: Cluster, clock: Clock): Promise<OperatorPresence | undefined> {
  const type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  try {
    const { items } = await cluster.list(type, { fieldSelector: `metadata.name=${leaseName}` });
    if (items.length === 0) return { state: 'none' };
    if (items.some(lease => isHeld(lease, clock.wall()))) return { state: 'leads' };
    const [last] = items
      .map(lease => specOf(lease).renewTime ?? '')
      .toSorted()
      .reverse();
    return { state: 'gone', ...(last ? { lastSeenAt: last } : {}) };
  } catch (error) {
    if (isReason(error, 'Forbidden')) return undefined;
    throw error;
  }
}

function specOf(lease: StoredObject): LeaseSpec {
  return (lease['spec'] ?? {}) as LeaseSpec;
}

function isHeld(lease: StoredObject, now: number): boolean {
  const { holderIdentity = '', leaseDurationSeconds = 15, renewTime = '' } = specOf(lease);
  return holderIdentity !== '' && Date.parse(renewTime) + (leaseDurationSeconds + graceSeconds) * 1000 > now;
}
