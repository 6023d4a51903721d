import { CodedError } from '../../../base/coded-error.ts';
import type { Clock } from '../../../cluster/clock.ts';
import { numberIsSafeSeconds } from '../../process/look-for-processes.ts';
import {
  bootOfMachine,
  factsOf,
  isAlive,
  type ProcessFacts,
  signalProcess,
} from '../../process/process-identity.ts';
import type { ProcessSweeper } from '../../process/process-sweeper.ts';
import { unlessDiskFull } from '../disk-full.ts';
import { endUnclaimed, forbidStart, waitsForRoom, writeEnd } from './run-folder.ts';
import type { TrackedRun } from './tracked-run.ts';

/** A shim writes an exit status in far less, unless the disk is full. */
const writeMilliseconds = 500;

interface MinderParts {
  readonly clock: Clock;
  readonly sweeper: ProcessSweeper;
  /** Whether the end of the first process ends all others. */
  readonly endsTogether: boolean;
  /** How long processes may take to be gone after SIGKILL. */
  readonly patienceMilliseconds: number;
  readonly markOf: (run: TrackedRun) => string;
  readonly isStarting: (run: TrackedRun) => boolean;
  readonly changed: (run: TrackedRun) => void;
}

/** Finds out what became of runs, ends what is left of them, and ends runs. */
export class RunMinder {
  readonly #parts: MinderParts;

  constructor(parts: MinderParts) {
    this.#parts = parts;
  }

  /** Brings what is known of a run up to date. Looks at the same run wait for each other. */
  look(run: TrackedRun): Promise<void> {
    if (run.hasEnded) return Promise.resolve();
    run.nextLook ??= run.looking.then(() => {
      run.nextLook = undefined;
      return run.hasEnded ? undefined : this.#look(run);
    });
    run.looking = run.nextLook.catch(() => {});
    return run.nextLook;
  }

  /** A shim of ours is on its way. */
  begin(run: TrackedRun): void {
    if (run.state === undefined && run.settle(true)) this.#parts.changed(run);
  }

  /** A look for when nothing was told: as long as the shim is there, it tells. */
  async glance(run: TrackedRun): Promise<void> {
    const { claim } = run.record;
    if (run.state?.is !== 'running' || !claim || !isAlive(claim)) await this.look(run);
  }

  async #look(run: TrackedRun): Promise<void> {
    let record = run.read();
    if (!record.end && record.claim && !isAlive(record.claim)) {
      // The shim may have written the end and gone between two reads.
      record = run.read();
      if (!record.end) await this.#endLost(run);
    }
    // A container ends as a whole: what the program left behind is ended before anybody is told.
    if (run.record.end) await this.#sweep(run);
    if (run.settle(this.#parts.isStarting(run))) this.#parts.changed(run);
  }

  /** A run whose shim was killed, or whose machine went down: its exit status cannot be known any more. */
  async #endLost(run: TrackedRun): Promise<void> {
    forbidStart(run.folder);
    run.read();
    await this.#sweep(run);
    const message = 'The container could not be located when the pod was terminated';
    const end = { exitCode: 137, problem: 'ContainerStatusUnknown', message } as const;
    const isWritten = writeEnd(run.folder, end);
    run.read();
    // On a full disk this manager knows it, and the next one finds it out anew.
    if (!isWritten) run.endUnwritten(end, this.#parts.clock.wall());
  }

  /** Ends every process of a run; returns when none is left. */
  async end(run: TrackedRun): Promise<void> {
    if (!run.hasEnded) this.#endUnclaimed(run);
    const { clock, patienceMilliseconds } = this.#parts;
    const deadline = clock.monotonic() + patienceMilliseconds;
    let waitsSince: number | undefined;
    for (;;) {
      await this.look(run);
      if (run.hasEnded) break;
      forbidStart(run.folder);
      const { claim, first } = run.read();
      if (first) signalProcess(first, 'SIGKILL');
      waitsSince = waitsForRoom(run.folder) ? (waitsSince ?? clock.monotonic()) : undefined;
      // Its program has ended, and it would wait for ever: the room may be what this end is to make.
      if (claim && waitsSince !== undefined && clock.monotonic() - waitsSince >= writeMilliseconds)
        signalProcess(claim, 'SIGKILL');
      if (clock.monotonic() >= deadline) throw left(run, first ? [first.pid] : []);
      await run.nextChange(signal => clock.sleep(20, signal));
    }
    const others = await this.#sweep(run);
    if (others.length > 0)
      throw left(
        run,
        others.map(({ pid }) => pid),
      );
  }

  /** On a full disk no shim can take the run on either. */
  #endUnclaimed(run: TrackedRun): void {
    if (unlessDiskFull(() => void endUnclaimed(run.folder, { exitCode: 137 }))) return;
    forbidStart(run.folder);
    run.read();
    run.endUnwritten({ exitCode: 137 }, this.#parts.clock.wall());
    if (run.settle(false)) this.#parts.changed(run);
  }

  /** Ends what is left of a run's processes: the first, and others where they do not end with it. */
  async #sweep(run: TrackedRun): Promise<readonly ProcessFacts[]> {
    const { first } = run.record;
    if (!first || first.boot !== bootOfMachine()) return [];
    const { clock, endsTogether, markOf, patienceMilliseconds, sweeper } = this.#parts;
    if (!endsTogether) {
      const leader = isAlive(first) || this.#hasJustEnded(run) ? { leader: first.pid } : {};
      return sweeper.end({ mark: markOf(run), since: first, ...leader });
    }
    const deadline = clock.monotonic() + patienceMilliseconds;
    // Not there any more, as a rule. It is when what waited for it was killed.
    while (signalProcess(first, 'SIGKILL')) {
      if (clock.monotonic() >= deadline) return [factsOf(first.pid) ?? []].flat();
      await clock.sleep(5);
    }
    return [];
  }

  /** Once the leader of a session is gone its number may become another's, but not at once. */
  #hasJustEnded({ record }: TrackedRun): boolean {
    const { end } = record;
    return (
      end !== undefined &&
      this.#parts.clock.wall() - Date.parse(end.finishedAt) < 1000 * numberIsSafeSeconds()
    );
  }
}

function left(run: TrackedRun, pids: readonly number[]): CodedError {
  const { podUid, name, attempt } = run.id;
  return new CodedError(
    'ProcessesLeft',
    `${podUid}/${name}/${attempt}: processes do not end: ${pids.join(', ')}`,
    {
      details: { pids },
    },
  );
}
