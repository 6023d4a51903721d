/** What `make start` promises a newcomer, for real: the built program, real processes, real clients, and a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram } from '../cli/build-program.ts';
import { root } from '../cli/run-afloat.ts';
import { processesWith } from './runtime/our-processes.ts';

// About 80 seconds on a quiet machine; the machine may have other work.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

let folder: string;
beforeAll(() => {
  buildProgram();
  folder = mkdtempSync(join(tmpdir(), 'afloat-start-'));
});
afterAll(async () => {
  for (const name of ['whole', 'stopped']) if (existsSync(join(folder, name))) await down(join(folder, name));
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a program of Node in the repository; `onOutput` sees all that was written so far and may signal it. */
async function run(
  words: readonly string[],
  { env = {}, onOutput }: { env?: object; onOutput?: (out: string, pid: number) => void } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, words, { cwd: root, env: { ...process.env, ...env } });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      out += String(chunk);
      onOutput?.(out, child.pid ?? 0);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

const walk = (state: string, onOutput?: (out: string, pid: number) => void) =>
  run(['--import', 'tsx', 'scripts/start/walk.ts', state], onOutput ? { onOutput } : {});
const down = (state: string) =>
  run(['bin/afloat.js', 'down', '--all', '--yes'], { env: { AFLOAT_STATE: state } });

/** What was said between a heading and the next one. */
function section(out: string, title: string): string {
  const found = out.split(/^== \d\. /m).find(part => part.startsWith(title));
  return found ?? `no section ${title} in: ${out}`;
}

const none = /identity: [\d,]+ requests, 0 failed .*image: [\d,]+ requests, 0 failed /;

test('the walk keeps its promises, ends with the cloud running, and goes down without a trace', async () => {
  const state = join(folder, 'whole');
  const { code, out } = await walk(state);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('The cloud runs on.') });

  expect(section(out, 'Install')).toMatch(none);
  const upgrade = section(out, 'Upgrade identity, bluegreen');
  expect(upgrade).toMatch(none);
  expect(upgrade).toMatch(/v1\.0\.0 [\d,]+, v1\.0\.1 [\d,]+/);
  expect(section(out, 'Upgrade image, rolling')).toMatch(none);

  const bad = section(out, 'Upgrade image to a bad build, recreate');
  expect(bad).toMatch(/identity: [\d,]+ requests, 0 failed /);
  // It cannot be done without an outage, and that is not hidden.
  expect(bad).toMatch(/image: [\d,]+ requests, [1-9][\d,]* failed, nobody was served for \d+\.\d s/);
  expect(bad).toContain('ok  the change was taken back by itself');
  expect(bad).toContain('ok  no client ever reached the bad build');
  expect(bad).toMatch(/ok {2}(\d+) of \1 acknowledged writes to image are there/);

  const back = section(out, 'Roll identity back');
  expect(back).toMatch(none);
  expect(back).toContain('ok  identity 1.0.0 serves');
  const end = section(out, 'At the end');
  for (const name of ['identity', 'image'])
    expect(end).toMatch(new RegExp(`ok  (\\d+) of \\1 acknowledged writes to ${name} are there`));

  // Every line it shows can be typed: those that only look are, here.
  expect(end).toContain(`export AFLOAT_STATE=${state}`);
  const tries = [...end.matchAll(/^ {2}node (bin\/afloat\.js (?:status|history|logs|plan) ?[^#]*?) +#/gm)];
  expect(tries).toHaveLength(4);
  for (const [, line = ''] of tries) {
    const tried = await run(line.trim().split(' '), { env: { AFLOAT_STATE: state } });
    expect({ line, ...tried }).toMatchObject({ code: line.includes(' plan ') ? 2 : 0 });
  }

  expect(processesWith(state).length).toBeGreaterThan(10);
  expect((await down(state)).code).toBe(0);
  await vi.waitUntil(() => processesWith(state).length === 0, { timeout: 60_000 });
});

test('Ctrl-C stops the clients, says how to take it down, and the next start begins anew', async () => {
  const state = join(folder, 'stopped');
  let signalled = false;
  const { code, out } = await walk(state, (said, pid) => {
    if (signalled || !said.includes('identity Operational')) return;
    signalled = true;
    process.kill(pid, 'SIGINT');
  });
  expect({ code, out }).toEqual({ code: 130, out: expect.stringContaining('To take it down:') });
  expect(processesWith(state).length).toBeGreaterThan(0);

  let again = '';
  await walk(state, (said, pid) => {
    if (again !== '' || !said.includes('== 1. Install ==')) return;
    again = said;
    process.kill(pid, 'SIGINT');
  });
  expect(again).toContain(`${state} is of an earlier start`);
  expect(again).toContain('ended every process of the cloud');
  expect((await down(state)).code).toBe(0);
  await vi.waitUntil(() => processesWith(state).length === 0, { timeout: 60_000 });
});

test('a folder that somebody else made is not touched', async () => {
  const state = join(folder, 'precious');
  mkdirSync(state);
  writeFileSync(join(state, 'store'), 'mine');
  const { code, out } = await walk(state);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('was not made by make start') });
  expect(existsSync(join(state, 'store'))).toBe(true);
});
