import type { Clock } from '../../../cluster/clock.ts';
import { type LogLimits, rotateLog } from './rotate-log.ts';

const restMilliseconds = 2000;
/** While some log grows fast. */
const hurryMilliseconds = 200;

interface LoggingRun {
  readonly folder: string;
  readonly hasEnded: boolean;
}

/** Keeps the logs of all runs within their limits, for as long as the manager is there. */
export class LogMinder {
  readonly #stop = new AbortController();
  readonly #done = new WeakSet<LoggingRun>();
  readonly #finished: Promise<void>;

  constructor(runs: () => Iterable<LoggingRun>, limits: LogLimits, clock: Clock) {
    this.#finished = this.#mind(runs, limits, clock);
  }

  /** Stops after the log that is being moved, so that no part of it is left unfinished. */
  close(): Promise<void> {
    this.#stop.abort();
    return this.#finished;
  }

  async #mind(runs: () => Iterable<LoggingRun>, limits: LogLimits, clock: Clock): Promise<void> {
    const { signal } = this.#stop;
    for (let rest = restMilliseconds; !signal.aborted; ) {
      await clock.sleep(rest, signal);
      rest = restMilliseconds;
      for (const run of [...runs()]) {
        if (signal.aborted) return;
        if (this.#done.has(run)) continue;
        // Asked before: what was written up to the end is looked at once more after it.
        if (run.hasEnded) this.#done.add(run);
        // A log that cannot be moved now (a full disk, a run just forgotten) is tried again.
        if (await rotateLog(run.folder, limits).catch(() => false)) rest = hurryMilliseconds;
      }
    }
  }
}
