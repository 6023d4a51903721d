import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Manager and forwarder, bundled: each start through a loader would take seconds. Beside the packages, to find libsql. */
const bundles = join(process.cwd(), 'node_modules', '.cache', `afloat-kill-${process.pid}`);

/** Bundles the manager; what it returns takes the bundles away. */
export async function bundleOperator(): Promise<() => void> {
  await build({
    entryPoints: {
      operator: join(import.meta.dirname, 'operator-program.ts'),
      forwarder: join(import.meta.dirname, '../../../src/runtime/forwarder/run-forwarder.ts'),
    },
    outdir: bundles,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql'],
    // Bundled CommonJS asks for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(bundles, 'package.json'), '{ "type": "module" }');
  return () => rmSync(bundles, { recursive: true, force: true });
}

/** A manager of a state folder that can be killed and started again. */
export class ManagedOperator {
  readonly #stateFolder: string;
  readonly #said: string[] = [];
  #manager: ChildProcess | undefined;

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder;
  }

  /** What all managers wrote to their error output. */
  get said(): string {
    return this.#said.join('');
  }

  /** Starts it; returns when it works. */
  async start(): Promise<void> {
    const manager = fork(join(bundles, 'operator.js'), [this.#stateFolder], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#manager = manager;
    manager.stderr?.on('data', chunk => this.#said.push(String(chunk)));
    await new Promise<void>((resolve, reject) => {
      manager.once('message', () => resolve());
      manager.once('exit', code =>
        reject(new TypeError(`the manager ended with ${code}: ${this.said.slice(-2000)}`)),
      );
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
    const manager = this.#manager;
    if (!manager || manager.exitCode !== null || manager.signalCode !== null) return;
    const ended = once(manager, 'exit');
    manager.kill(signal);
    await ended;
  }
}
