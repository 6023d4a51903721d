import type { Clock } from '../clock.ts';

/** Time that goes on when a test says so. Who sleeps is woken in order, and what that causes happens before the next is. */
export class ManualClock implements Clock {
  /** What the date is off by; the monotonic time is not. */
  skew = 0;
  chance = 0.5;
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  monotonic(): number {
    return this.#now;
  }

  wall(): number {
    return Date.UTC(2026, 0, 1) + this.#now + this.skew;
  }

  random(): number {
    return this.chance;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter(one => one !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: this.#now + milliseconds, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Lets so much time pass. */
  async pass(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    for (;;) {
      await settle();
      const [next] = this.#sleepers.toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = end;
    await settle();
  }
}

/** Until everything that can happen without time passing has happened. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
}
