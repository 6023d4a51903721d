import { type Clock, systemClock } from '../../../cluster/clock.ts';

/** The time of the machine, but for what a story skips: nobody waits a minute to see what happens in the next one. */
export class SkippingClock implements Clock {
  #skipped = 0;
  readonly #sleepers = new Set<() => void>();

  monotonic(): number {
    return systemClock.monotonic() + this.#skipped;
  }

  wall(): number {
    return systemClock.wall() + this.#skipped;
  }

  random(): number {
    return systemClock.random();
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const end = this.monotonic() + milliseconds;
    while (this.monotonic() < end && !signal?.aborted) {
      const skip = new AbortController();
      const wake = () => skip.abort();
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
      await systemClock.sleep(end - this.monotonic(), skip.signal);
      signal?.removeEventListener('abort', wake);
      this.#sleepers.delete(wake);
    }
  }

  /** So much time has passed at once; whoever slept for it wakes. */
  skip(milliseconds: number): void {
    this.#skipped += milliseconds;
    for (const wake of [...this.#sleepers]) wake();
  }
}
