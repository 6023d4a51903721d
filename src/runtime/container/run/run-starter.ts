import { mkdir } from 'node:fs/promises';
import { CodedError } from '../../../base/coded-error.ts';
import type { Isolation } from '../../isolation/isolation.ts';
import type { ContainerSpec } from '../containers.ts';
import type { PodRooms } from './pod-rooms.ts';
import type { RunBook } from './run-book.ts';
import { endUnclaimed, readRun, runFolderOf, runKey } from './run-folder.ts';
import type { RunMinder } from './run-minder.ts';
import { environmentOf, startShim, writeRunFiles } from './start-shim.ts';
import type { TrackedRun } from './tracked-run.ts';

interface StarterParts {
  readonly isolation: Isolation;
  readonly rooms: PodRooms;
  readonly runs: RunBook;
  readonly minder: RunMinder;
  readonly shim: string;
  readonly markOf: (run: TrackedRun) => string;
}

/** Starts runs, each once, however often it is asked to and whenever it was interrupted. */
export class RunStarter {
  readonly #parts: StarterParts;
  readonly #starting = new Map<string, Promise<void>>();
  readonly #shims = new WeakSet<TrackedRun>();
  #hasLetGo = false;

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /** The shims go on; their ends are for the next manager to see. */
  letGo(): void {
    this.#hasLetGo = true;
  }

  /** Whether a shim of ours is about to take the run on. */
  hasShim(run: TrackedRun): boolean {
    return this.#shims.has(run);
  }

  start(spec: ContainerSpec): Promise<void> {
    const key = runKey(spec);
    const known = this.#starting.get(key);
    if (known) return known;
    const starting = this.#start(spec).finally(() => this.#starting.delete(key));
    this.#starting.set(key, starting);
    return starting;
  }

  async #start(spec: ContainerSpec): Promise<void> {
    const { isolation, rooms, runs, minder, shim, markOf } = this.#parts;
    if (runs.get(spec)?.state) return;
    const record = rooms.get(spec.podUid);
    if (!record) throw new CodedError('PodNotOpen', `there is no room for the Pod ${spec.podUid}`);
    const { pod, room } = record;
    const folder = runFolderOf(room.folder, spec);
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const run = runs.track(spec, folder);
    if (readRun(folder).claim) return minder.look(run);
    // After a restart of the machine the network is gone, with the Pod still in the book.
    await rooms.open(pod);
    const plan = await isolation.plan(pod, spec, { podFolder: room.folder, runFolder: folder });
    const refused = 'refused' in plan ? plan.refused : whyNoWords(spec);
    run.spec = spec;
    if (refused !== undefined || 'refused' in plan) {
      endUnclaimed(folder, { exitCode: 128, problem: 'StartError', message: refused ?? '' });
      return minder.look(run);
    }
    const env = environmentOf(spec, { mark: markOf(run), podIp: room.ip, podRoot: plan.podRoot });
    run.spec = { ...spec, env };
    writeRunFiles(folder, spec, { plan, env });
    this.#shims.add(run);
    await startShim(shim, folder, () => void this.#shimEnded(run));
    // What the shim has done so far is told by itself.
    minder.begin(run);
  }

  async #shimEnded(run: TrackedRun): Promise<void> {
    this.#shims.delete(run);
    if (this.#hasLetGo) return;
    // One that ended without taking the run on was killed in its first moments, or found no room on the disk.
    try {
      const message = 'the shim ended before it could start the program';
      if (!run.read().claim) endUnclaimed(run.folder, { exitCode: 128, problem: 'StartError', message });
    } catch {
      // The folder is gone: the Pod was closed.
    }
    await this.#parts.minder.look(run).catch(() => {});
  }
}

/** A shell cannot carry zero bytes, and neither can the kernel. */
function whyNoWords({ command, env }: ContainerSpec): string | undefined {
  if (command.length === 0) return 'no command specified';
  const texts = [...command, ...Object.entries(env).flat()];
  return texts.some(text => text.includes('\0')) ? 'a command or variable holds a zero byte' : undefined;
}
