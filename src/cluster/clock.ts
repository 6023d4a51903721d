import { setTimeout as wait } from 'node:timers/promises';

/** Time and chance, so that tests can have their own. */
export interface Clock {
  /** Milliseconds that only go forward, whatever happens to the date. They may stand still while the machine sleeps. */
  monotonic(): number;
  /** Milliseconds since 1970, as the machine believes. For writing down. */
  wall(): number;
  /** Returns after that time, or at once when the signal says so. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}),
  random: Math.random,
};
