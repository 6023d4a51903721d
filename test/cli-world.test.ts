/** The commands, as they are shipped, on a real world of this machine: started, used, ended, started again. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { buildProgram } from './cli/build-program.ts';
import { root } from './cli/run-afloat.ts';

const timeout = 240_000;
let program: string;
let state: string;

beforeAll(() => {
  program = buildProgram();
  state = mkdtempSync(join(tmpdir(), 'afloat-world-'));
}, timeout);
afterAll(() => {
  afloat('down', '--all', '--yes');
  rmSync(state, { recursive: true, force: true });
}, timeout);

function afloat(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words, '--state', state], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, out: stdout, err: stderr };
}

describe('a world of this machine', () => {
  test('is said to be missing before it is up', { timeout }, () => {
    expect(afloat('status')).toMatchObject({
      code: exitCodes.unavailable.code,
      err: expect.stringContaining('NotUp'),
    });
    const doctor = afloat('doctor');
    expect(doctor.code).toBe(exitCodes.waiting.code);
    expect(doctor.out).toContain('failed   manager');
  });

  test('is started, keeps what is applied over its own end, and is ended', { timeout }, () => {
    const up = ['up', '--detach', '--isolation', 'loopback'];
    expect(afloat(...up)).toMatchObject({ code: 0, out: expect.stringContaining('up as process') });
    expect(afloat(...up)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /is up already for .*: process \d+, since \d{4}-.*\n.*afloat status.*afloat down/,
      ),
    });
    expect(afloat('status')).toMatchObject({ code: 0, out: expect.stringContaining('No cloud here') });
    expect(afloat('apply', 'examples/cloud.yaml', '-m', 'the first')).toMatchObject({ code: 0, err: '' });
    const view = JSON.parse(afloat('status', '-o', 'json').out);
    expect(view).toMatchObject({ cloud: 'north', facts: { command: expect.anything() } });
    expect(afloat('doctor').out).toContain('ok       manager');
    expect(afloat('down')).toMatchObject({ code: 0, out: expect.stringContaining('ended the manager') });
    expect(afloat('status').code).toBe(exitCodes.unavailable.code);
    expect(afloat(...up).code).toBe(0);
    expect(afloat('status').out).toContain('Cloud north');
    expect(afloat('down', '--all').code).toBe(exitCodes.usage.code); // nobody to ask
    expect(afloat('down', '--all', '--yes').code).toBe(0);
  });

  test('of two that are started at once, one is up and the other one says so', { timeout }, async () => {
    const words = [program, 'up', '--detach', '--isolation', 'loopback', '--state', state];
    const ends = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, words, { cwd: root });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text: Buffer) => {
            said += text.toString();
          });
        const [code] = await once(child, 'close');
        return { code, said };
      }),
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const started = ends.filter(({ said }) => said.startsWith('up as process'));
    const found = ends.filter(({ said }) => said.startsWith('afloat is up already'));
    expect({ started, found }).toEqual({ started: [expect.anything()], found: [expect.anything()] });
    const pid = /process (\d+)/.exec(started[0]?.said ?? '')?.[1];
    expect(found[0]?.said).toContain(`process ${pid}, since `);
    const second = afloat('up', '--isolation', 'loopback');
    expect(second.code).toBe(exitCodes.unavailable.code);
    expect(second.err).toContain(`process ${pid}, since `);
    expect(second.err.match(/\(\w+\)/g)).toEqual(['(AlreadyUp)']);
    expect(second.err).toContain('afloat status');
    expect(second.err).toContain('afloat down');
    expect(afloat('down').code).toBe(0);
  });

  test('in the foreground says where it is, and ends in good order when it is told to', {
    timeout,
  }, async () => {
    const child = spawn(process.execPath, [program, 'up', '--isolation', 'loopback', '--state', state], {
      cwd: root,
    });
    let said = '';
    const isUp = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('Ctrl-C')) resolve();
      });
      child.once('exit', code => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    const ended = once(child, 'exit');
    await isUp;
    expect(said).toContain('the token in');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('ended; the processes of the cloud run on');
  });
});
