import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** A manager of a state folder that can be killed, kills itself where it is told to, and is started again. */
export class ManagedOperator {
  readonly #program: string;
  readonly #stateFolder: string;
  readonly #isolation: string;
  readonly #said: string[] = [];
  readonly #killedAt: string;
  #manager: ChildProcess | undefined;
  #isWanted = false;
  #restart: Promise<void> = Promise.resolve();
  /** How often it killed itself. */
  kills = 0;

  /** `program` is operator-program.ts, bundled. */
  constructor(program: string, stateFolder: string, isolation: 'loopback' | 'namespaces' = 'loopback') {
    this.#program = program;
    this.#isolation = isolation;
    this.#stateFolder = stateFolder;
    this.#killedAt = `${stateFolder}-killed-at`;
  }

  /** From now on it kills itself at every state of a move that is new, once each, and is started again. */
  arm(): void {
    writeFileSync(this.#killedAt, '');
  }

  /** From now on it lives; returns at which states it killed itself, when it works. */
  async disarm(): Promise<readonly string[]> {
    const states = readFileSync(this.#killedAt, 'utf8').split('\n').slice(0, -1);
    rmSync(this.#killedAt);
    await this.#restart;
    return states;
  }

  /** What all managers wrote to their error output. */
  get said(): string {
    return this.#said.join('');
  }

  /** Starts it; returns when it works. */
  async start(): Promise<void> {
    this.#isWanted = true;
    const manager = fork(this.#program, [this.#stateFolder, this.#killedAt, this.#isolation], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#manager = manager;
    manager.stderr?.on('data', chunk => this.#said.push(String(chunk)));
    await new Promise<void>((resolve, reject) => {
      manager.once('message', () => resolve());
      manager.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL')
          return reject(new TypeError(`the manager ended with ${code}: ${this.said.slice(-2000)}`));
        if (!this.#isWanted) return resolve();
        this.kills += 1;
        this.#restart = this.start();
        this.#restart.then(resolve, reject);
      });
    });
  }

  /** Kills it as the machine would: at once, at whatever line it is. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it in good order. What runs goes on. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    const manager = this.#manager;
    if (!manager || manager.exitCode !== null || manager.signalCode !== null) return;
    const ended = once(manager, 'exit');
    manager.kill(signal);
    await ended;
  }
}
