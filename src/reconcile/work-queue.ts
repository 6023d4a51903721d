import { type Clock, systemClock } from '../cluster/clock.ts';

export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** How many keys are worked on at once. One key is never worked on twice at once. */
  readonly workers?: number;
  /** The wait after a first failure; doubled with each further one. */
  readonly firstBackOffSeconds?: number;
  /** The longest wait after a failure. */
  readonly backOffCeilingSeconds?: number;
  readonly signal?: AbortSignal;
  /** Told of every pass that failed, with how long is waited before the next one. */
  readonly onTrouble?: (key: string, error: unknown, waitSeconds: number) => void;
}

/** What a pass asks for: to be called again after a time at the latest, or nothing. */
export type Again = { readonly afterSeconds: number } | undefined;

/**
 * Keys that wait for a pass. A key added while it waits is one pass; one added while it is worked on is one more pass after
 * it. A pass that throws is repeated, each time later, up to a ceiling; a key added meanwhile is not held up by that.
 */
export class WorkQueue {
  readonly #pass: (key: string) => Promise<Again>;
  readonly #options: Required<Omit<WorkQueueOptions, 'signal'>> & {
    readonly signal: AbortSignal | undefined;
  };
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #later = new Map<string, { readonly at: number; readonly cancel: AbortController }>();
  #onIdle: (() => void)[] = [];

  constructor(pass: (key: string) => Promise<Again>, options: WorkQueueOptions = {}) {
    this.#pass = pass;
    this.#options = { ...defaults, onTrouble: () => {}, ...options, signal: options.signal };
    options.signal?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** A pass for this key as soon as a worker is free. */
  add(key: string): void {
    if (this.#options.signal?.aborted) return;
    this.#waiting.add(key);
    this.#work();
  }

  /** A pass for this key after that time, or earlier where one was asked for already. */
  addAfter(key: string, seconds: number): void {
    const { clock, signal } = this.#options;
    if (signal?.aborted) return;
    if (seconds <= 0) {
      this.add(key);
      return;
    }
    const at = clock.monotonic() + seconds * 1000;
    const planned = this.#later.get(key);
    if (planned && planned.at <= at) return;
    planned?.cancel.abort();
    const cancel = new AbortController();
    this.#later.set(key, { at, cancel });
    void clock.sleep(seconds * 1000, cancel.signal).then(() => {
      if (cancel.signal.aborted) return;
      this.#later.delete(key);
      this.add(key);
    });
  }

  /** How many keys wait for a worker. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Nothing waits and nothing runs; what is planned for later does not count. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || (this.#waiting.size > 0 && !this.#options.signal?.aborted)) {
      await new Promise<void>(resolve => this.#onIdle.push(resolve));
    }
  }

  #work(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.workers) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    try {
      // A pass begins in a turn of its own, so that everything which was told in this turn is one pass.
      await Promise.resolve();
      const again = await this.#pass(key);
      this.#failures.delete(key);
      if (again) this.addAfter(key, again.afterSeconds);
    } catch (error) {
      this.#failed(key, error);
    } finally {
      this.#running.delete(key);
      this.#work();
      for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  #failed(key: string, error: unknown): void {
    const { firstBackOffSeconds, backOffCeilingSeconds, signal, onTrouble } = this.#options;
    if (signal?.aborted) return;
    const failures = this.#failures.get(key) ?? 0;
    const wait = Math.min(firstBackOffSeconds * 2 ** failures, backOffCeilingSeconds);
    this.#failures.set(key, failures + 1);
    onTrouble(key, error, wait);
    this.addAfter(key, wait);
  }

  #stop(): void {
    this.#waiting.clear();
    for (const { cancel } of this.#later.values()) cancel.abort();
    this.#later.clear();
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

const defaults = {
  clock: systemClock,
  workers: 4,
  firstBackOffSeconds: 0.05,
  backOffCeilingSeconds: 30,
};
