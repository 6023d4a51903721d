import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { StoreFolder } from './store-folder.contract.ts';

const rounds = 100;
const lanes = 4;
/** Rounds are short; how many fit is what counts. */
const timeout = 240_000;
const tools = new StoreFolder();
const writer = join(tools.path, 'writer.mjs');

beforeAll(async () => {
  // Compiled once: a hundred starts through a loader would take minutes.
  await build({
    entryPoints: [join(import.meta.dirname, 'kill-writer.contract.ts')],
    outfile: writer,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql'],
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    alias: { libsql: join(process.cwd(), 'node_modules', 'libsql', 'index.js') },
  });
  return () => tools[Symbol.asyncDispose]();
});

/** What was acknowledged until now: a later round must find no less. */
class Acknowledged {
  version = 0;
  /** The last number of each object; 0 where it was removed last. */
  readonly numbers = new Map<string, number>();
  writes = 0;

  hear(line: string): void {
    const space = line.indexOf(' ');
    const [word, value] = [line.slice(0, space), JSON.parse(line.slice(space + 1))];
    if (word === 'found') this.#check(value);
    else if (word === 'removed') this.numbers.set(value.name, 0);
    else {
      this.writes += 1;
      expect(value.version).toBeGreaterThan(0);
      this.version = Math.max(this.version, value.version);
      this.numbers.set(value.name, value.n);
    }
  }

  #check({ version, objects }: { version: number; objects: Record<string, number> }): void {
    expect(version).toBeGreaterThanOrEqual(this.version);
    for (const [name, number] of this.numbers) {
      // What was written but not acknowledged may be there too: one more, or gone, for the one write that was on its way.
      if (number > 0 && objects[name] !== undefined) expect(objects[name]).toBeGreaterThanOrEqual(number);
      if (number > 0 && objects[name] === undefined) this.#mayBeGone(name);
    }
    this.version = version;
    this.numbers.clear();
    for (const [name, number] of Object.entries(objects)) this.numbers.set(name, number);
  }

  gone: string[] = [];

  #mayBeGone(name: string): void {
    this.gone.push(name);
  }
}

async function round(folder: StoreFolder, acknowledged: Acknowledged, milliseconds: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [writer, folder.path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  const started = new Promise<void>(resolve => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('wrote ')) resolve();
    });
    child.on('exit', () => resolve());
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await started;
  await sleep(milliseconds);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  expect(errors).toBe('');
  expect(child.signalCode).toBe('SIGKILL');
  const lines = output.split('\n');
  // The last line may be cut by the kill; what is not said whole was not acknowledged.
  for (const line of lines.slice(0, -1)) acknowledged.hear(line);
}

test(`${rounds} rounds of kill -9 lose no acknowledged write`, { timeout }, async () => {
  const [pauses = []] = fc.sample(fc.array(fc.integer({ min: 1, max: 120 }), { minLength: rounds, maxLength: rounds }), 1);
  const totals = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      await using folder = new StoreFolder();
      const acknowledged = new Acknowledged();
      for (let turn = lane; turn < rounds; turn += lanes) await round(folder, acknowledged, pauses[turn] ?? 50);
      await round(folder, acknowledged, 1);
      return acknowledged;
    }),
  );
  expect(totals.reduce((sum, lane) => sum + lane.writes, 0)).toBeGreaterThan(rounds);
});
