import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { CodedError } from '../../base/coded-error.ts';
import type { Clock } from '../../cluster/clock.ts';
import { claimedBy } from '../forwarder/claim.ts';
import { type ForwarderFiles, readReports } from '../forwarder/forwarder-files.ts';
import { pidOf, runs } from '../forwarder/forwarder-identity.ts';
import type { ForwarderProgram } from '../forwarder/forwarding-table.ts';
import { startDetached } from '../forwarder/hand-over.ts';
import { watchFolder } from '../forwarder/watch-folder.ts';
import type { Reports } from './traffic.ts';

export interface KeeperOptions {
  readonly files: ForwarderFiles;
  readonly program: ForwarderProgram;
  readonly clock: Clock;
  /** Whether there is anything to forward. */
  isNeeded(): boolean;
  onReports(reports: Reports): void;
  onTrouble(doing: string, error: unknown, waitSeconds: number): void;
}

const lookMilliseconds = 500;
const startMilliseconds = 10_000;
/** A forwarder that ends again and again is started later each time. */
const waits = { first: 500, longest: 30_000 };

/**
 * Sees to it that one forwarder runs while there is something to forward: takes up the one that is there, starts one where none is. Ending
 * the keeper ends no forwarder.
 */
export class ForwarderKeeper {
  readonly #options: KeeperOptions;
  readonly #ended = new AbortController();
  #stopWatching = () => {};
  #running: Promise<void> = Promise.resolve();
  #wake = new AbortController();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopWatching = watchFolder(this.#options.files.reports, () => this.look());
    this.look();
    this.#running = this.#keep();
  }

  /** Looks at once whether one is needed, and at what it says. */
  look(): void {
    const { files, onReports } = this.#options;
    const holder = claimedBy(files);
    const reports = readReports(files);
    const isSilent = holder !== undefined && !reports.some(({ identity }) => identity === holder);
    onReports(isSilent ? undefined : reports);
    this.#wake.abort();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#wake.abort();
    this.#stopWatching();
    await this.#running;
  }

  async #keep(): Promise<void> {
    const { files, clock, isNeeded, onTrouble } = this.#options;
    let failures = 0;
    while (!this.#ended.signal.aborted) {
      if (claimedBy(files) || !isNeeded()) {
        this.#wake = new AbortController();
        await clock.sleep(lookMilliseconds, this.#wake.signal);
        continue;
      }
      if (await this.#startOne()) {
        failures = 0;
        this.look();
        continue;
      }
      const wait = Math.min(waits.first * 2 ** failures, waits.longest);
      failures += 1;
      const error = new CodedError(
        'ForwarderEnded',
        `the forwarder ended as soon as it was started; see ${files.log}`,
      );
      onTrouble('starting the forwarder', error, wait / 1000);
      await clock.sleep(wait, this.#ended.signal);
    }
  }

  /** True when a forwarder has the folder, ours or one that was faster. */
  async #startOne(): Promise<boolean> {
    const { files, program, clock } = this.#options;
    const child = startDetached(program, files);
    child.unref();
    const hasEnded = endOf(child);
    for (let waited = 0; waited < startMilliseconds && !this.#ended.signal.aborted; waited += 20) {
      if (claimedBy(files)) return true;
      if (hasEnded()) return false;
      await clock.sleep(20, this.#ended.signal);
    }
    return claimedBy(files) !== undefined || this.#ended.signal.aborted;
  }
}

function endOf(child: ChildProcess): () => boolean {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  child.once('exit', end).once('error', end);
  return () => hasEnded;
}

/** How long a forwarder may take to end before it is killed, and how long that may take. */
const endMilliseconds = 2000;

/**
 * Ends the forwarders of a folder, those that finish their last connections included. Only processes that have claimed it: known by
 * id, start and boot. Throws `ForwarderStays` when one cannot be ended.
 */
export async function endForwarders(files: ForwarderFiles, clock: Clock): Promise<void> {
  // One that was started and has not claimed the folder yet finds no table, and ends by itself.
  rmSync(files.table, { force: true });
  const holder = claimedBy(files);
  const all = new Set([...(holder ? [holder] : []), ...readReports(files).map(({ identity }) => identity)]);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const identity of all) if (runs(identity)) kill(identity, signal);
    for (let waited = 0; waited < endMilliseconds; waited += 20) {
      for (const identity of all) if (!runs(identity)) all.delete(identity);
      if (all.size === 0) return;
      await clock.sleep(20);
    }
  }
  throw new CodedError('ForwarderStays', `process ${[...all].map(pidOf).join(', ')} could not be ended`);
}

function kill(identity: string, signal: NodeJS.Signals): void {
  try {
    process.kill(pidOf(identity), signal);
  } catch {
    // It ended between the look and the kill, or is not ours to end, which is seen afterwards.
  }
}
