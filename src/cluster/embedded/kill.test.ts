import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { StoreFolder } from './store-folder.contract.ts';

const rounds = 100;
const lanes = 4;
/** Rounds are short; how many fit is what counts. */
const timeout = 600_000;
// Beside the packages, so that it finds libsql.
const writer = join(process.cwd(), 'node_modules', '.cache', `afloat-kill-writer-${process.pid}.mjs`);

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
  });
  return () => rmSync(writer, { force: true });
});

/** What is known of one object: its last number, and whether it was to be removed, or was. */
interface Known {
  readonly n: number;
  readonly state: 'there' | 'removing' | 'removed';
}

/** What was acknowledged until now: a later round must find no less. */
class Acknowledged {
  version = 0;
  writes = 0;
  readonly #known = new Map<string, Known>();

  hear(line: string): void {
    const space = line.indexOf(' ');
    const [word, value] = [line.slice(0, space), JSON.parse(line.slice(space + 1))];
    const n = this.#known.get(value.name)?.n ?? 0;
    if (word === 'found') this.#check(value);
    else if (word === 'removing' || word === 'removed') this.#known.set(value.name, { n, state: word });
    else {
      this.writes += 1;
      this.version = Math.max(this.version, value.version);
      this.#known.set(value.name, { n: value.n, state: 'there' });
    }
  }

  /** What was written but not acknowledged may be there too; what was acknowledged must be. */
  #check({ version, objects }: { version: number; objects: Record<string, number> }): void {
    expect(version).toBeGreaterThanOrEqual(this.version);
    for (const [name, { n, state }] of this.#known) {
      const found = objects[name];
      if (state === 'there') expect(found, name).toBeGreaterThanOrEqual(n);
      else if (found !== undefined)
        expect(found, name).toBeGreaterThanOrEqual(state === 'removed' ? n + 1 : n);
    }
    this.version = version;
    this.#known.clear();
    for (const [name, n] of Object.entries(objects)) this.#known.set(name, { n, state: 'there' });
  }
}

async function round(folder: StoreFolder, acknowledged: Acknowledged, milliseconds: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [writer, folder.path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const [pauses = []] = fc.sample(
    fc.array(fc.integer({ min: 1, max: 120 }), { minLength: rounds, maxLength: rounds }),
    1,
  );
  const totals = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      await using folder = new StoreFolder();
      const acknowledged = new Acknowledged();
      for (let turn = lane; turn < rounds; turn += lanes)
        await round(folder, acknowledged, pauses[turn] ?? 50);
      await round(folder, acknowledged, 1);
      return acknowledged;
    }),
  );
  expect(totals.reduce((sum, lane) => sum + lane.writes, 0)).toBeGreaterThan(rounds);
});
