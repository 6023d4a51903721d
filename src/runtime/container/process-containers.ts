import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/coded-error.ts';
import type { Clock } from '../../cluster/clock.ts';
import type { AddressRange } from '../isolation/address-range.ts';
import type { Isolation } from '../isolation/isolation.ts';
import { signalProcess } from '../process/process-identity.ts';
import { ProcessSweeper } from '../process/process-sweeper.ts';
import type {
  ContainerId,
  ContainerSpec,
  ContainerState,
  Containers,
  ExecResult,
  IsolationKind,
  LogOptions,
  OpenPod,
  PodSandbox,
} from './containers.ts';
import { inFolder } from './disk-full.ts';
import { LogMinder } from './log/log-minder.ts';
import { readLog } from './log/read-log.ts';
import type { LogLimits } from './log/rotate-log.ts';
import { execInRun } from './run/exec-in-run.ts';
import { PodRooms } from './run/pod-rooms.ts';
import { PodStore } from './run/pod-store.ts';
import { RunBook } from './run/run-book.ts';
import { RunEvents } from './run/run-events.ts';
import { markOfRun, parseRunKey, removeRun, runFolderOf, runKey } from './run/run-folder.ts';
import { RunMinder } from './run/run-minder.ts';
import { RunStarter } from './run/run-starter.ts';
import type { TrackedRun } from './run/tracked-run.ts';

export interface ProcessContainersOptions {
  /** As it really is, without links: mount points are compared with it. */
  readonly stateFolder: string;
  /** Tells the processes of this state folder from those of others. */
  readonly stateId: string;
  readonly isolation: Isolation;
  readonly range: AddressRange;
  readonly clock: Clock;
  /** Where the script of the shim is. */
  readonly shim: string;
  readonly logLimits: LogLimits;
  readonly pollMilliseconds: number;
  /** How long processes may take to be gone after SIGKILL. */
  readonly patienceMilliseconds: number;
  /** Everything is to be ended: nothing is started, and no room on the disk is needed. */
  readonly toTakeDown: boolean;
  /** Told of what went wrong without anybody having asked for it. */
  readonly onTrouble: (doing: string, error: unknown) => void;
}

/** Containers as processes of this machine. A state folder has one such object at a time: whoever manages holds it. */
export class ProcessContainers implements Containers {
  readonly isolation: IsolationKind;
  /** The addresses of this state folder, for Services too. */
  readonly range: AddressRange;
  readonly #options: ProcessContainersOptions;
  readonly #eventsFolder: string;
  readonly #runs = new RunBook();
  readonly #sweeper: ProcessSweeper;
  readonly #minder: RunMinder;
  readonly #starter: RunStarter;
  readonly #rooms: PodRooms;
  readonly #store: PodStore;
  readonly #listeners: ((podUid: string) => void)[] = [];
  #events: RunEvents | undefined;
  #logs: LogMinder | undefined;
  #execs = 0;
  #isOpen = false;

  constructor(options: ProcessContainersOptions) {
    const { clock, isolation, patienceMilliseconds, shim, stateFolder, stateId } = options;
    this.isolation = isolation.kind;
    this.range = options.range;
    this.#options = options;
    this.#eventsFolder = join(stateFolder, 'events');
    this.#sweeper = new ProcessSweeper(clock, patienceMilliseconds);
    this.#store = new PodStore(stateFolder);
    const markOf = ({ id }: TrackedRun) => markOfRun(stateId, id);
    const runs = this.#runs;
    this.#minder = new RunMinder({
      clock,
      sweeper: this.#sweeper,
      endsTogether: isolation.endsTogether,
      patienceMilliseconds,
      markOf,
      isStarting: run => this.#starter.hasShim(run),
      changed: run => this.#tell(run),
    });
    const minder = this.#minder;
    this.#rooms = new PodRooms({
      store: this.#store,
      isolation,
      runs,
      minder,
      eventsFolder: this.#eventsFolder,
    });
    this.#starter = new RunStarter({ isolation, rooms: this.#rooms, runs, minder, shim, markOf });
  }

  async adopt(): Promise<void> {
    const { clock, logLimits, onTrouble, pollMilliseconds, stateFolder, toTakeDown } = this.#options;
    // What runs can be ended without a network that is whole.
    await this.#openIsolation().catch(error => {
      if (!toTakeDown) throw error;
    });
    // Before the folders are read, so that nothing happens unseen in between.
    this.#events = new RunEvents(
      this.#eventsFolder,
      { changed: key => this.#changed(key), lookAtAll: () => this.#lookAtAll() },
      { clock, pollMilliseconds },
    );
    await inFolder(this.#rooms.adopt());
    for (const key of readdirSync(this.#eventsFolder)) this.#changed(key);
    if (toTakeDown) return;
    const runs = () => this.#runs.all();
    this.#logs = new LogMinder({ stateFolder, runs, limits: logLimits, clock, onTrouble });
  }

  openPod(pod: PodSandbox): Promise<OpenPod> {
    return inFolder(this.#rooms.open(pod));
  }

  closePod(podUid: string): Promise<void> {
    return inFolder(this.#rooms.close(podUid));
  }

  pods(): ReturnType<Containers['pods']> {
    return this.#rooms.all().map(({ pod, room }) => ({
      pod,
      room,
      runs: this.#runs
        .ofPod(pod.uid)
        .filter(run => run.state !== undefined)
        .map(run => run.id),
    }));
  }

  start(spec: ContainerSpec): Promise<void> {
    return inFolder(this.#starter.start(spec));
  }

  state(id: ContainerId): ContainerState | undefined {
    return this.#runs.get(id)?.state;
  }

  signal(id: ContainerId, signal: Parameters<Containers['signal']>[1]): boolean {
    const run = this.#runs.get(id);
    const first = run && !run.hasEnded ? run.read().first : undefined;
    return first !== undefined && signalProcess(first, signal);
  }

  async kill(id: ContainerId): Promise<void> {
    const run = this.#runs.get(id);
    if (run) await inFolder(this.#minder.end(run));
  }

  async exec(id: ContainerId, command: readonly string[], timeoutSeconds: number): Promise<ExecResult> {
    const run = this.#runs.expect(id);
    const { spec } = run;
    if (run.state?.is !== 'running' || !spec)
      throw new CodedError('ContainerNotRunning', `${runKey(id)} does not run`);
    const { clock, isolation, stateId } = this.#options;
    this.#execs += 1;
    return execInRun(
      {
        plan: isolation.planExec({ spec, runFolder: run.folder, firstPid: run.state.pid }, command),
        env: spec.env,
        mark: `AFLOAT_EXEC=${stateId}/${process.pid}/${clock.wall()}/${this.#execs}`,
        timeoutSeconds,
      },
      clock,
      this.#sweeper,
    );
  }

  logs(id: ContainerId, options: LogOptions = {}): AsyncIterable<Buffer> {
    const run = this.#runs.expect(id);
    return readLog({ folder: run.folder, hasEnded: () => run.hasEnded }, options, this.#options.clock);
  }

  async forget(id: ContainerId): Promise<void> {
    const run = this.#runs.get(id);
    if (!run) return;
    if (!run.hasEnded) throw new CodedError('ContainerRunning', `${runKey(id)} has not ended`);
    this.#runs.drop(id);
    await inFolder(removeRun(run.folder));
    await rm(join(this.#eventsFolder, runKey(id)), { force: true });
  }

  onChange(listener: (podUid: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes away what all Pods share. Every Pod was closed, and this object is of no use any more. */
  async takeDown(): Promise<void> {
    await this.close();
    // Opening finds out whether the network is ours to take away. What was ended may have made the room for it.
    if (!this.#isOpen) await this.#openIsolation();
    await this.#options.isolation.takeDown();
  }

  async close(): Promise<void> {
    this.#starter.letGo();
    this.#events?.close();
    await this.#logs?.close();
  }

  async #openIsolation(): Promise<void> {
    await inFolder(this.#options.isolation.open());
    this.#isOpen = true;
  }

  #changed(key: string): void {
    const id = parseRunKey(key);
    const room = id && this.#rooms.get(id.podUid)?.room;
    const folder = id && room && runFolderOf(room.folder, id);
    if (!folder || !existsSync(folder)) {
      // The last word of a shim whose run was forgotten meanwhile.
      rmSync(join(this.#eventsFolder, key), { force: true });
      return;
    }
    // A shim that an earlier manager started may begin only now.
    void this.#minder.look(this.#runs.track(id, folder)).catch(() => {});
  }

  #lookAtAll(): void {
    for (const run of this.#runs.all()) void this.#minder.glance(run).catch(() => {});
  }

  #tell({ id }: TrackedRun): void {
    for (const listener of this.#listeners) listener(id.podUid);
  }
}
