/** The commands on a real world of this machine: started, used, ended, started again. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { root } from './cli/run-afloat.ts';

const program = ['--import', 'tsx', join(root, 'src', 'cli', 'main.ts')];
const timeout = 240_000;
let state: string;

beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'afloat-world-'));
});
afterAll(() => {
  afloat('down', '--all', '--yes');
  rmSync(state, { recursive: true, force: true });
}, timeout);

function afloat(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...words, '--state', state], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, out: stdout, err: stderr };
}

describe('a world of this machine', () => {
  test('is said to be missing before it is up', { timeout }, () => {
    expect(afloat('status')).toMatchObject({
      code: exitCodes.failed.code,
      err: expect.stringContaining('NotUp'),
    });
    const doctor = afloat('doctor');
    expect(doctor.code).toBe(exitCodes.waiting.code);
    expect(doctor.out).toContain('failed   manager');
  });

  test('is started, keeps what is applied over its own end, and is ended', { timeout }, () => {
    const up = ['up', '--detach', '--isolation', 'loopback'];
    expect(afloat(...up)).toMatchObject({ code: 0, out: expect.stringContaining('up as process') });
    expect(afloat(...up)).toMatchObject({ code: 0, out: expect.stringContaining('runs already') });
    expect(afloat('status')).toMatchObject({ code: 0, out: expect.stringContaining('No cloud here') });
    expect(afloat('apply', 'examples/cloud.yaml', '-m', 'the first')).toMatchObject({ code: 0, err: '' });
    const view = JSON.parse(afloat('status', '-o', 'json').out);
    expect(view).toMatchObject({ cloud: 'north', facts: { command: expect.anything() } });
    expect(afloat('doctor').out).toContain('ok       manager');
    expect(afloat('down')).toMatchObject({ code: 0, out: expect.stringContaining('ended the manager') });
    expect(afloat('status').code).toBe(exitCodes.failed.code);
    expect(afloat(...up).code).toBe(0);
    expect(afloat('status').out).toContain('Cloud north');
    expect(afloat('down', '--all').code).toBe(exitCodes.invalid.code); // nobody to ask
    expect(afloat('down', '--all', '--yes').code).toBe(0);
  });

  test('in the foreground says where it is, and ends in good order when it is told to', {
    timeout,
  }, async () => {
    const child = spawn(process.execPath, [...program, 'up', '--isolation', 'loopback', '--state', state], {
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
