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

/** Timers of Node take no more than this; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;

async function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && !signal?.aborted; left -= longestTimer)
    await wait(Math.min(left, longestTimer), undefined, signal ? { signal } : {}).catch(() => {});
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: sleepFor,
  random: Math.random,
};
