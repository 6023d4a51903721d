import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { root } from '../../cli/run-afloat.ts';

/** What a task left behind. */
export interface TaskEnd {
  readonly code: number | null;
  readonly out: string;
  /** Its termination message. */
  readonly message: string;
}

/** What a program is told beside its words. */
export interface Told {
  readonly slice?: string;
  /** Where it serves: the address of one that was there before; a new one unless told. */
  readonly address?: string;
  /** Variables, such as those that say where a backup is. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that serves. */
export interface Serving {
  readonly address: string;
  readonly port: number;
  readonly child: ChildProcess;
  log(): string;
  /** Ends it as a node does, and gives its exit code. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const ports = { database: 3306, identity: 5000, image: 9292, 'compute-conductor': 8775, compute: 8774 };
export type ServiceName = keyof typeof ports;

/**
 * The programs of the example packages as plain processes, without Afloat: each one that serves has a loopback address of its own, and
 * finds the others by the variables of Services. What serves last under a name is who the others find.
 */
export class ExampleWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'afloat-programs-'));
  readonly #services: Record<string, string> = {};
  readonly #children = new Set<ChildProcess>();
  // Worlds of tests that run at the same time do not meet.
  readonly #network = `127.${100 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`;
  #addresses = 0;
  #tasks = 0;

  /** The data of the database outlives its processes. */
  get dataFolder(): string {
    return join(this.folder, 'database', 'var/lib/database');
  }

  /** Starts a program and waits until it answers. */
  async serve(
    service: ServiceName,
    version: string,
    words: readonly string[],
    told: Told = {},
  ): Promise<Serving> {
    this.#addresses += 1;
    const { address = `${this.#network}.${this.#addresses}` } = told;
    const port = ports[service];
    const podRoot = join(this.folder, service);
    mkdirSync(podRoot, { recursive: true });
    const child = this.#start(packageOf(service), version, words, { ...told, address, podRoot });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        log += String(chunk);
      });
    }
    const answers = () =>
      fetch(`http://${address}:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(answers, { timeout: 60_000, interval: 50 }).catch(() => {
      throw new TypeError(`${service} ${version} does not answer: ${log}`);
    });
    this.pointAt(service, address);
    return { address, port, child, log: () => log, end: signal => this.#end(child, signal) };
  }

  /** From now on programs that start find the service there, as the engine does for a test of one slice. */
  pointAt(service: ServiceName, address: string): void {
    const prefix = service.toUpperCase().replaceAll('-', '_');
    this.#services[`${prefix}_SERVICE_HOST`] = address;
    this.#services[`${prefix}_SERVICE_PORT`] = `${ports[service]}`;
  }

  /** Runs a task to its end. */
  async run(name: string, version: string, words: readonly string[], told: Told = {}): Promise<TaskEnd> {
    return this.start(name, version, words, told).end;
  }

  /** Starts a task, for who wants to end it early. */
  start(
    name: string,
    version: string,
    words: readonly string[],
    told: Told = {},
  ): { readonly child: ChildProcess; readonly end: Promise<TaskEnd> } {
    this.#tasks += 1;
    const podRoot = join(this.folder, `task-${this.#tasks}`);
    const messageFile = join(podRoot, 'run/afloat/message');
    mkdirSync(join(podRoot, 'run/afloat'), { recursive: true });
    writeFileSync(messageFile, '');
    const env = { DATABASE: 'database', MESSAGE_FILE: '/run/afloat/message', ...told.env };
    const child = this.#start(name, version, words, { ...told, env, podRoot });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        out += String(chunk);
      });
    }
    const end = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      out,
      message: readFileSync(messageFile, 'utf8'),
    }));
    return { child, end };
  }

  /** Starts an agent: it serves nobody. */
  agent(version: string, told: Told): ChildProcess {
    return this.#start('compute', version, ['agent'], { ...told, podRoot: this.folder });
  }

  /** Ends every process that was started here and is left. */
  async end(): Promise<void> {
    await Promise.all([...this.#children].map(child => this.#end(child, 'SIGKILL')));
    rmSync(this.folder, { recursive: true });
  }

  #start(
    name: string,
    version: string,
    words: readonly string[],
    { slice = 'blue', env = {}, address = '', podRoot }: Told & { podRoot: string },
  ): ChildProcess {
    const program = join(root, 'examples/packages', name, version, 'program/main.mjs');
    const child = spawn(process.execPath, [program, ...words], {
      cwd: this.folder,
      env: { POD_IP: address, POD_ROOT: podRoot, SLICE: slice, ...this.#services, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  async #end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'close');
    }
    return child.exitCode;
  }
}

function packageOf(service: ServiceName): string {
  return service === 'compute-conductor' ? 'compute' : service;
}
