import type { StoredObject } from '../../cluster/cluster.ts';

/** Leases, by which of several operators one leads. */
export const leaseType = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;

/** What is read of a Lease. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}

/** What a Lease says. */
export function leaseSpecOf(lease: StoredObject): LeaseSpec {
  return (lease['spec'] ?? {}) as LeaseSpec;
}

/** Whether somebody has it, by the times in it; clocks of two machines may differ by the grace. For people: nobody leads by this. */
export function leaseIsHeld(lease: StoredObject, now: number, graceSeconds = 0): boolean {
  const { holderIdentity = '', leaseDurationSeconds = 15, renewTime = '' } = leaseSpecOf(lease);
  return holderIdentity !== '' && Date.parse(renewTime) + (leaseDurationSeconds + graceSeconds) * 1000 > now;
}
