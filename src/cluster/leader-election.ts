import { type Clock, systemClock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { LeaseRecord, type LeaseRef } from './lease-record.ts';

export interface LeaderElectionOptions {
  readonly lease: LeaseRef;
  /** Who we are; another one in every process. */
  readonly identity: string;
  /** How long others leave us the lead after they last saw us renew it. */
  readonly leaseSeconds?: number;
  /** How long after a renewal we act at most. Shorter than the lease, by the time that ending takes. */
  readonly renewDeadlineSeconds?: number;
  /** How often we renew, or look whether the lead is free. */
  readonly retrySeconds?: number;
  readonly clock?: Clock;
  readonly onTrouble?: (error: unknown) => void;
}

/** A time in the lead. */
export interface Term {
  /** Says when to stop acting. */
  readonly signal: AbortSignal;
  /**
   * Whether we may act at this very moment, by the clock: also right when the process was held up and no signal could be
   * given. To be asked right before what must never be done by two.
   */
  mayAct(): boolean;
}

/** How a term ended: the work was done, we were told to stop, or the lead was lost. */
export type TermEnd = 'finished' | 'stopped' | 'lost';

/**
 * Waits for the lead, does the work while it has it, and hands it over at the end.
 *
 * A leader that cannot renew stops acting after the renew deadline, counted from before its last successful renewal was
 * sent. Others start only after they saw no renewal for the whole lease, counted by their own clocks from after they saw
 * the last one. So no two act at once as long as clocks run equally fast; what the clocks show does not matter. While the work
 * winds down after a stop the lease is still renewed, and given back only when the work is over.
 *
 * Returns when the term is over; throws what the work throws. Returns `stopped` without a term when told to stop before.
 */
export async function lead(
  cluster: Cluster,
  options: LeaderElectionOptions,
  work: (term: Term) => Promise<void>,
  stop: AbortSignal,
): Promise<TermEnd> {
  const settings = { ...defaults, clock: systemClock, onTrouble: () => {}, ...options };
  const { leaseSeconds, renewDeadlineSeconds, retrySeconds } = settings;
  if (!(leaseSeconds > renewDeadlineSeconds && renewDeadlineSeconds > retrySeconds * 1.2)) {
    const words =
      'a lease must be longer than its renew deadline, and that longer than the time between two tries';
    throw new ClusterError('BadRequest', words);
  }
  const record = new LeaseRecord(cluster, settings);
  const lease = new HeldLease(record, settings);
  if (!(await lease.acquire(stop))) return 'stopped';
  return lease.during(work, stop);
}

const defaults = { leaseSeconds: 15, renewDeadlineSeconds: 10, retrySeconds: 2 } as const;

type Settings = Required<LeaderElectionOptions>;

class HeldLease {
  readonly #record: LeaseRecord;
  readonly #settings: Settings;
  #renewed = { monotonic: 0, wall: 0 };

  constructor(record: LeaseRecord, settings: Settings) {
    this.#record = record;
    this.#settings = settings;
  }

  /** True when we have it, false when told to stop before. */
  async acquire(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      if (await this.#try()) return true;
      await this.#pause(stop);
    }
    return false;
  }

  async during(work: (term: Term) => Promise<void>, stop: AbortSignal): Promise<TermEnd> {
    const term = new AbortController();
    const over = new AbortController();
    const onStop = () => term.abort();
    stop.addEventListener('abort', onStop, { once: true });
    if (stop.aborted) term.abort();
    const keeping = Promise.all([this.#renew(term, over.signal), this.#guard(term, over.signal)]);
    const mayAct = () => !term.signal.aborted && !this.#isPastDeadline();
    try {
      await work({ signal: term.signal, mayAct });
      if (this.#isLost) return 'lost';
      return stop.aborted ? 'stopped' : 'finished';
    } finally {
      stop.removeEventListener('abort', onStop);
      over.abort();
      await keeping;
      if (!this.#isLost) await this.#release();
    }
  }

  #isLost = false;

  async #renew(term: AbortController, over: AbortSignal): Promise<void> {
    while (!over.aborted && !this.#isLost) {
      await this.#pause(over);
      if (over.aborted || this.#isLost) return;
      const holds = await this.#try();
      if (!holds && this.#record.isHeldByOther()) this.#lose(term);
    }
  }

  /** Ends the term at the deadline even where a renewal hangs. */
  async #guard(term: AbortController, over: AbortSignal): Promise<void> {
    const { clock, renewDeadlineSeconds } = this.#settings;
    while (!over.aborted && !this.#isLost) {
      if (this.#isPastDeadline()) return this.#lose(term);
      await clock.sleep(Math.max(1, renewDeadlineSeconds * 1000 - this.#sinceRenewal()), over);
    }
  }

  #lose(term: AbortController): void {
    this.#isLost = true;
    term.abort();
  }

  /** One try to take or renew. What counts is when it was begun: the server may have written it right then. */
  async #try(): Promise<boolean> {
    const { clock } = this.#settings;
    const began = { monotonic: clock.monotonic(), wall: clock.wall() };
    try {
      const holds = await this.#record.hold();
      if (holds) this.#renewed = began;
      return holds;
    } catch (error) {
      this.#settings.onTrouble(error);
      return false;
    }
  }

  async #release(): Promise<void> {
    try {
      await this.#record.release();
    } catch (error) {
      this.#settings.onTrouble(error); // it runs out by itself
    }
  }

  #isPastDeadline(): boolean {
    return this.#sinceRenewal() >= this.#settings.renewDeadlineSeconds * 1000;
  }

  /** By whichever clock says more: one may stand still while the machine sleeps, the other may be set back. */
  #sinceRenewal(): number {
    const { clock } = this.#settings;
    const { monotonic, wall } = this.#renewed;
    return Math.max(clock.monotonic() - monotonic, clock.wall() - wall);
  }

  #pause(signal: AbortSignal): Promise<void> {
    const { clock, retrySeconds } = this.#settings;
    return clock.sleep(retrySeconds * 1000 * (1 + clock.random() / 5), signal);
  }
}
