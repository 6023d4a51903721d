import type { Clock } from './clock.ts';
import type { Cluster, ObjectRef, StoredObject } from './cluster.ts';
import { isReason } from './cluster-error.ts';

export interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface LeaseSettings {
  readonly lease: LeaseRef;
  readonly identity: string;
  readonly leaseSeconds: number;
  readonly clock: Clock;
}

/** The Lease object of an election, as we last saw it. The times in it are for people: nobody decides by them. */
export class LeaseRecord {
  readonly #cluster: Cluster;
  readonly #settings: LeaseSettings;
  #seen: StoredObject | undefined;
  /** When we saw it change, by our own clock. */
  #seenAt = 0;

  constructor(cluster: Cluster, settings: LeaseSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  /**
   * Takes or renews the lease. True when it is ours for another full time; false when somebody else has it, or was faster.
   * Throws what the cluster throws; then it may have been written or not.
   */
  async hold(): Promise<boolean> {
    if (this.#seen === undefined || this.#spec.holderIdentity !== this.#settings.identity) await this.#look();
    if (this.#seen === undefined) return this.#create();
    if (this.isHeldByOther() && !this.#isOver()) return false;
    return this.#write(this.#spec.holderIdentity === this.#settings.identity ? 'renew' : 'take');
  }

  /** Gives it back, so that another need not wait until it is over. */
  async release(): Promise<void> {
    if (this.#seen === undefined || this.isHeldByOther()) return;
    const spec = { ...this.#spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
    this.#see(await this.#cluster.update({ ...this.#seen, spec }));
  }

  isHeldByOther(): boolean {
    const { holderIdentity } = this.#spec;
    return Boolean(holderIdentity) && holderIdentity !== this.#settings.identity;
  }

  get #spec(): LeaseSpec {
    return (this.#seen?.['spec'] ?? {}) as LeaseSpec;
  }

  /** Nobody has renewed it for its whole length since we saw it. */
  #isOver(): boolean {
    const { leaseDurationSeconds = this.#settings.leaseSeconds } = this.#spec;
    // Somebody who promised a shorter time may have been us with other settings: the longer one is safe.
    const seconds = Math.max(leaseDurationSeconds, this.#settings.leaseSeconds);
    return this.#settings.clock.monotonic() - this.#seenAt >= seconds * 1000;
  }

  async #look(): Promise<void> {
    try {
      this.#see(await this.#cluster.get(this.#ref));
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      this.#seen = undefined;
    }
  }

  /** The time is taken after the answer: what we see may be that much older, and we wait that much longer. */
  #see(lease: StoredObject): void {
    const isNew = lease.metadata.resourceVersion !== this.#seen?.metadata.resourceVersion;
    if (isNew) this.#seenAt = this.#settings.clock.monotonic();
    this.#seen = lease;
  }

  async #create(): Promise<boolean> {
    const { apiVersion, kind, name, namespace = '' } = this.#ref;
    const spec = { ...this.#held(), acquireTime: this.#now(), leaseTransitions: 0 };
    try {
      this.#see(await this.#cluster.create({ apiVersion, kind, metadata: { name, namespace }, spec }));
      return true;
    } catch (error) {
      return this.#lostRace(error, 'AlreadyExists');
    }
  }

  async #write(how: 'renew' | 'take'): Promise<boolean> {
    if (this.#seen === undefined) return false;
    const { leaseTransitions = 0 } = this.#spec;
    const taken = { acquireTime: this.#now(), leaseTransitions: leaseTransitions + 1 };
    const spec = { ...this.#spec, ...this.#held(), ...(how === 'take' ? taken : {}) };
    try {
      this.#see(await this.#cluster.update({ ...this.#seen, spec }));
      return true;
    } catch (error) {
      return this.#lostRace(error, 'Conflict', 'NotFound');
    }
  }

  /** Somebody wrote it before us, perhaps we ourselves with a write that was cut off: looked at again, decided next time. */
  async #lostRace(
    error: unknown,
    ...reasons: readonly ('AlreadyExists' | 'Conflict' | 'NotFound')[]
  ): Promise<false> {
    if (!isReason(error, ...reasons)) throw error;
    await this.#look();
    return false;
  }

  #held(): LeaseSpec {
    const { identity, leaseSeconds } = this.#settings;
    return { holderIdentity: identity, leaseDurationSeconds: leaseSeconds, renewTime: this.#now() };
  }

  /** As a Lease has it: with microseconds. */
  #now(): string {
    return new Date(this.#settings.clock.wall()).toISOString().replace('Z', '000Z');
  }

  get #ref(): ObjectRef {
    return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...this.#settings.lease };
  }
}
