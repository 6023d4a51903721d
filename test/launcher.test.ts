import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-launcher-'));
  cpSync(join(import.meta.dirname, '..', 'bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

function launch(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'bin', 'afloat.js'), ...words],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

test('without a build it says in one line what to do', () => {
  const { status, stdout, stderr } = launch('plan');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.split('\n')).toEqual([expect.stringContaining('make build'), '']);
});

test('with a build it hands over words, streams and the exit code', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(
    join(folder, 'dist', 'main.js'),
    'process.stdout.write(process.argv.slice(2).join(" ")); process.exitCode = 2;',
  );
  expect(launch('plan', 'cloud.yaml')).toEqual({ status: 2, stdout: 'plan cloud.yaml', stderr: '' });
});
