import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, ClusterObject, ObjectRef, StoredObject } from '../../../src/cluster/cluster.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';

type ClusterMethod = 'create' | 'get' | 'list' | 'patch' | 'delete' | 'updateStatus';

/** What a manager is asked for. */
export type Asked = { readonly id: number } & (
  | { readonly method: ClusterMethod; readonly parameters: readonly unknown[] }
  | { readonly method: 'logs'; readonly parameters: Parameters<Runtime['podLogs']> }
  | { readonly method: 'stop'; readonly parameters: readonly [] }
);

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly reason?: string; readonly message: string; readonly stack?: string };
}

/** What a manager answered with an error, or that it died before it answered. */
export class NotDone extends Error {
  readonly reason: string | undefined;

  constructor(message: string, reason: string | undefined) {
    super(message);
    this.reason = reason;
  }
}

/** A runtime in a folder of its own whose manager can be killed and started again. */
export class ManagedRuntime {
  readonly folder = mkdtempSync(join(tmpdir(), 'afloat-journey-'));
  readonly #program: string;
  readonly #isolation: string;
  readonly #said: string[] = [];
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #manager: ChildProcess | undefined;
  #count = 0;
  #ready: Promise<void> = Promise.resolve();

  /** `program` is manager.ts, bundled. */
  constructor(program: string, isolation: 'namespaces' | 'loopback') {
    this.#program = program;
    this.#isolation = isolation;
  }

  /** What the managers wrote to their error output. */
  get said(): string {
    return this.#said.join('');
  }

  async start(): Promise<void> {
    const manager = fork(this.#program, [this.folder, this.#isolation], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      serialization: 'json',
    });
    this.#manager = manager;
    manager.stderr?.on('data', chunk => this.#said.push(String(chunk)));
    this.#ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, () => resolve());
      manager.once('exit', () => {
        reject(new NotDone(`the manager ended: ${this.said.slice(-2000)}`, 'gone'));
        this.#loseAll();
      });
    });
    this.#ready.catch(() => {}); // who waits for it hears it
    manager.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    await this.#ready;
  }

  /** Kills the manager as the machine would: at once, at whatever line it is. */
  async kill(): Promise<void> {
    const manager = this.#manager;
    if (!manager || manager.exitCode !== null || manager.signalCode !== null) return;
    const ended = once(manager, 'exit');
    manager.kill('SIGKILL');
    await ended;
  }

  /** Ends the manager in good order. What runs goes on. */
  async stop(): Promise<void> {
    await this.#ask('stop', []);
    await this.kill();
  }

  removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  create(object: ClusterObject): Promise<StoredObject | undefined> {
    // A create whose answer was lost is found to be done.
    return this.#persist<StoredObject | undefined>('create', [object], ['AlreadyExists']);
  }

  get(ref: ObjectRef): Promise<StoredObject | undefined> {
    return this.#persist<StoredObject | undefined>('get', [ref], ['NotFound']);
  }

  merge(ref: ObjectRef, value: object): Promise<StoredObject> {
    return this.#persist('patch', [ref, { type: 'merge', value }]);
  }

  delete(ref: ObjectRef): Promise<unknown> {
    return this.#persist('delete', [ref], ['NotFound']);
  }

  list(...parameters: Parameters<Cluster['list']>): Promise<{ readonly items: readonly StoredObject[] }> {
    return this.#persist('list', parameters);
  }

  logs(...parameters: Parameters<Runtime['podLogs']>): Promise<string> {
    return this.#persist('logs', parameters);
  }

  /** Asks again while the manager is away; what is refused is thrown, unless it means that it is done. */
  async #persist<T>(
    method: ClusterMethod | 'logs',
    parameters: readonly unknown[],
    done: readonly string[] = [],
  ): Promise<T> {
    const end = Date.now() + 60_000;
    for (;;) {
      try {
        return (await this.#ask(method, parameters)) as T;
      } catch (error) {
        if (!(error instanceof NotDone)) throw error;
        if (done.includes(error.reason ?? '')) return undefined as T;
        if (error.reason !== 'gone' || Date.now() > end) throw error;
        await sleep(20); // until who killed it has started it again
      }
    }
  }

  async #ask(method: Asked['method'], parameters: readonly unknown[]): Promise<unknown> {
    await this.#ready;
    this.#count += 1;
    const id = this.#count;
    const answer = await new Promise<Answer>(resolve => {
      this.#waiting.set(id, resolve);
      this.#manager?.send({ id, method, parameters }, error => {
        if (error) resolve({ id, error: { reason: 'gone', message: 'the manager is gone' } });
      });
    });
    this.#waiting.delete(id);
    if (answer.error) throw new NotDone(`${method}: ${answer.error.message}`, answer.error.reason);
    return answer.value;
  }

  #loseAll(): void {
    for (const [id, answer] of this.#waiting) {
      answer({ id, error: { reason: 'gone', message: 'the manager was killed' } });
    }
    this.#waiting.clear();
  }
}
