import { statfsSync } from 'node:fs';
import { CodedError } from '../../../base/coded-error.ts';
import type { Clock } from '../../../cluster/clock.ts';
import { isDiskFull } from '../disk-full.ts';
import { markLog } from './log-times.ts';
import { type LogLimits, rotateLog } from './rotate-log.ts';

const restMilliseconds = 2000;
/** How often the room on the disk is looked at, and the logs while some grow fast. */
const hurryMilliseconds = 200;

interface LoggingRun {
  readonly folder: string;
  readonly hasEnded: boolean;
}

interface LogMinderOptions {
  readonly stateFolder: string;
  readonly runs: () => Iterable<LoggingRun>;
  readonly limits: LogLimits;
  readonly clock: Clock;
  /** Told once of each log that cannot be kept, until it can again. */
  readonly onTrouble: (doing: string, error: unknown) => void;
}

/** Keeps the logs of all runs within their limits and notes when they were written, for as long as the manager is there. */
export class LogMinder {
  readonly #options: LogMinderOptions;
  readonly #stop = new AbortController();
  readonly #done = new WeakSet<LoggingRun>();
  readonly #troubled = new WeakSet<LoggingRun>();
  readonly #marked = new WeakMap<LoggingRun, number>();
  readonly #finished: Promise<void>;

  constructor(options: LogMinderOptions) {
    this.#options = options;
    this.#finished = this.#mind();
  }

  /** Stops after the log that is being moved, so that no part of it is left unfinished. */
  close(): Promise<void> {
    this.#stop.abort();
    return this.#finished;
  }

  async #mind(): Promise<void> {
    const { signal } = this.#stop;
    for (let isHurried = false; !signal.aborted; ) {
      await this.#rest(isHurried);
      isHurried = false;
      for (const run of [...this.#options.runs()]) {
        if (signal.aborted) return;
        if (this.#done.has(run)) continue;
        // Asked before: what was written up to the end is looked at once more after it.
        const { hasEnded } = run;
        const outcome = await this.#rotate(run);
        if (hasEnded && outcome !== 'failed') this.#done.add(run);
        if (outcome === 'moved' || outcome === 'dropped') isHurried = true;
      }
    }
  }

  /** Ends early when the disk fills: one question for all logs, where asking each that often would cost too much. */
  async #rest(isHurried: boolean): Promise<void> {
    const { clock, limits } = this.#options;
    const before = this.#freeBytes();
    const until = clock.monotonic() + (isHurried ? hurryMilliseconds : restMilliseconds);
    while (!this.#stop.signal.aborted && clock.monotonic() < until) {
      await clock.sleep(hurryMilliseconds, this.#stop.signal);
      if (before - this.#freeBytes() > limits.bytes) return;
    }
  }

  #freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#options.stateFolder);
      return bavail * bsize;
    } catch {
      // Without an answer the logs are looked at at their usual times.
      return 0;
    }
  }

  async #rotate(run: LoggingRun): Promise<Awaited<ReturnType<typeof rotateLog>> | 'failed'> {
    try {
      await this.#note(run);
      const outcome = await rotateLog(run.folder, this.#options.limits);
      if (outcome === 'dropped') this.#tell(run, 'there is no room on the disk: its older part was dropped');
      if (outcome === 'moved') this.#troubled.delete(run);
      return outcome;
    } catch (error) {
      // A run that was just forgotten has no folder.
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone) this.#tell(run, `it cannot be moved: ${error instanceof Error ? error.message : error}`);
      return 'failed';
    }
  }

  /** A full disk keeps nobody from making room on it: then lines are as old as the next note. */
  async #note(run: LoggingRun): Promise<void> {
    try {
      this.#marked.set(run, await markLog(run.folder, this.#marked.get(run)));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  #tell(run: LoggingRun, what: string): void {
    if (this.#troubled.has(run)) return;
    this.#troubled.add(run);
    const error = new CodedError('StateFolderFailed', `the log in ${run.folder}: ${what}`);
    this.#options.onTrouble('keeping logs within their limits', error);
  }
}
