import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../cluster/clock.ts';
import type {
  ContainerId,
  ContainerSpec,
  ContainerState,
  Containers,
  ExecResult,
  OpenPod,
  PodSandbox,
} from '../container/containers.ts';
import { runKey } from './run-key.ts';

/** What a program does: told when it starts, asked when something is run beside it. */
export interface Script {
  /** The code with which it ends at once; undefined where it runs until it is ended. */
  readonly exitCode?: number;
  readonly startError?: string;
  /** The code with which it answers SIGTERM; undefined where it does not care. */
  readonly onTerm?: number;
  readonly exec?: (command: readonly string[]) => Partial<ExecResult>;
}

interface Room {
  readonly pod: PodSandbox;
  readonly room: OpenPod;
}

/** Containers without processes: programs do what a script says, and a test ends them by hand. */
export class ScriptedContainers implements Containers {
  readonly isolation = 'namespaces';
  readonly started: ContainerSpec[] = [];
  /** What was done to runs, in order: `SIGTERM web/0`, `kill web/0`, `exec web/0 sync`. */
  readonly done: string[] = [];
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #script: (spec: ContainerSpec) => Script;
  readonly #rooms = new Map<string, Room>();
  readonly #runs = new Map<string, { spec: ContainerSpec; state: ContainerState }>();
  #listeners: ((podUid: string) => void)[] = [];

  constructor(folder: string, clock: Clock, script: (spec: ContainerSpec) => Script) {
    this.#folder = folder;
    this.#clock = clock;
    this.#script = script;
  }

  /** As the next manager finds them: what runs, runs on; nobody listens any more. */
  async adopt(): Promise<void> {
    this.#listeners = [];
  }

  async openPod(pod: PodSandbox): Promise<OpenPod> {
    const known = this.#rooms.get(pod.uid);
    if (known) return known.room;
    const folder = join(this.#folder, pod.uid);
    mkdirSync(folder, { recursive: true });
    const room = { ip: `10.1.0.${this.#rooms.size + 2}`, hostIp: '10.1.0.1', folder };
    this.#rooms.set(pod.uid, { pod, room });
    return room;
  }

  async closePod(podUid: string): Promise<void> {
    for (const [key, { spec }] of this.#runs) if (spec.podUid === podUid) this.#runs.delete(key);
    const room = this.#rooms.get(podUid);
    if (room) rmSync(room.room.folder, { recursive: true, force: true });
    this.#rooms.delete(podUid);
    this.done.push('close');
  }

  pods() {
    return [...this.#rooms.values()].map(({ pod, room }) => ({
      pod,
      room,
      runs: [...this.#runs.values()].map(({ spec }) => spec).filter(({ podUid }) => podUid === pod.uid),
    }));
  }

  async start(spec: ContainerSpec): Promise<void> {
    if (this.#runs.has(runKey(spec))) return;
    this.started.push(spec);
    this.#runs.set(runKey(spec), { spec, state: { is: 'running', pid: 1, startedAt: this.#now() } });
    const { exitCode, startError } = this.#script(spec);
    if (startError !== undefined) this.#end(spec, 128, startError);
    else if (exitCode !== undefined) this.#end(spec, exitCode);
    this.#tell(spec.podUid);
  }

  state(id: ContainerId): ContainerState | undefined {
    return this.#runs.get(runKey(id))?.state;
  }

  signal(id: ContainerId, signal: string): boolean {
    this.done.push(`${signal} ${id.name}/${id.attempt}`);
    const run = this.#runs.get(runKey(id));
    if (!run || run.state.is === 'ended') return false;
    const { onTerm } = this.#script(run.spec);
    if (onTerm !== undefined) this.end(id, onTerm);
    return true;
  }

  async kill(id: ContainerId): Promise<void> {
    this.done.push(`kill ${id.name}/${id.attempt}`);
    if (this.state(id)?.is !== 'ended') this.end(id, 137);
  }

  async exec(id: ContainerId, command: readonly string[]): Promise<ExecResult> {
    this.done.push(`exec ${id.name}/${id.attempt} ${command.join(' ')}`);
    const run = this.#runs.get(runKey(id));
    const answer = run && this.#script(run.spec).exec?.(command);
    return { exitCode: 0, output: '', timedOut: false, ...answer };
  }

  async *logs({ name, attempt }: ContainerId): AsyncIterable<Buffer> {
    yield Buffer.from(`${name}/${attempt}\n`);
  }

  async forget(id: ContainerId): Promise<void> {
    this.#runs.delete(runKey(id));
  }

  onChange(listener: (podUid: string) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {}

  /** The program of a run ends. */
  end(id: ContainerId, exitCode: number): void {
    this.#end(id, exitCode);
    this.#tell(id.podUid);
  }

  #end(id: ContainerId, exitCode: number, startError?: string): void {
    const run = this.#runs.get(runKey(id));
    if (!run || run.state.is === 'ended') return;
    const startedAt = run.state.is === 'running' ? run.state.startedAt : this.#now();
    const problem = startError === undefined ? {} : { problem: 'StartError' as const, message: startError };
    run.state = { is: 'ended', exitCode, startedAt, finishedAt: this.#now(), ...problem };
  }

  #tell(podUid: string): void {
    for (const listener of this.#listeners) listener(podUid);
  }

  #now(): string {
    return new Date(this.#clock.wall()).toISOString();
  }
}
