import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../cluster/clock.ts';

/** When a fake clock begins, unless told otherwise. */
const firstMoment = Date.UTC(2026, 0, 1);

/** So many turns of the event loop are enough for what a woken sleeper causes in memory. */
const turnsToSettle = 20;

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * Time that goes on when a test says so, and chance that is the same in every run. Who sleeps is woken in the order of time, of two for one
 * moment the one that slept first; what that causes without time passing happens before the next is woken.
 */
export class FakeClock implements Clock {
  readonly #begin: number;
  #passed = 0;
  #seed: number;
  #sleepers: Sleeper[] = [];

  constructor(options: { readonly begin?: number; readonly seed?: number } = {}) {
    this.#begin = options.begin ?? firstMoment;
    this.#seed = (options.seed ?? 1) >>> 0;
  }

  monotonic(): number {
    return this.#passed;
  }

  wall(): number {
    return this.#begin + this.#passed;
  }

  /** mulberry32: short, and good enough for names and back-offs. */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) >>> 0;
    let mixed = this.#seed;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter(one => one !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#passed + Math.max(0, milliseconds), wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** How many milliseconds from now the next sleeper wakes; undefined when nobody sleeps. */
  nextSleeper(): number | undefined {
    const next = this.#next();
    return next && Math.max(0, next.at - this.#passed);
  }

  /** Lets so much time pass, sleeper by sleeper. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#passed + milliseconds;
    for (;;) {
      await settleTurns();
      const next = this.#next();
      if (!next || next.at > end) break;
      this.#passed = Math.max(this.#passed, next.at);
      next.wake();
    }
    this.#passed = end;
    await settleTurns();
  }

  #next(): Sleeper | undefined {
    // Stable: of two for one moment the first that slept stays first.
    return this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Until everything that can happen in memory without time passing has happened. */
async function settleTurns(): Promise<void> {
  for (let turns = 0; turns < turnsToSettle; turns++) await turn();
}
