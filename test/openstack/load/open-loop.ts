import { setTimeout as pause } from 'node:timers/promises';

/** When turns come, and when they end by themselves. */
export interface Schedule {
  readonly perSecond: number;
  readonly mostTurns: number;
  readonly mostSeconds: number;
}

/** Turns that are under way. */
export interface OpenLoop {
  /** How far the last turns were behind their time at most: then it is this machine that is slow. */
  readonly mostBehindMs: number;
  /** Ends when no further turn comes. */
  readonly over: Promise<void>;
  /** No further turn. */
  stop(): void;
}

/**
 * Calls at fixed times, whatever becomes of the calls before: a service that is slow gets as many requests as one that is not, as from
 * clients that know nothing of each other. Nothing is left out: a turn whose time has passed comes at once.
 */
export function startOpenLoop(schedule: Schedule, turn: (index: number) => void): OpenLoop {
  const stopped = new AbortController();
  const began = performance.now();
  const everyMs = 1000 / schedule.perSecond;
  const turns = Math.min(schedule.mostTurns, Math.floor(schedule.mostSeconds * schedule.perSecond));
  let mostBehindMs = 0;
  const run = async () => {
    for (let index = 0; index < turns; index++) {
      const early = began + index * everyMs - performance.now();
      if (early > 0) await pause(early, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      mostBehindMs = Math.max(mostBehindMs, -early);
      turn(index);
    }
  };
  return {
    get mostBehindMs() {
      return mostBehindMs;
    },
    over: run(),
    stop: () => stopped.abort(),
  };
}
