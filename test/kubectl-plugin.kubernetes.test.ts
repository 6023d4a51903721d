/** `kubectl afloat`, as kubectl itself finds and calls it. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const run = promisify(execFile);
const main = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');
const { kubectl } = inject('kubernetes');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-plugin-'));
  const program = join(folder, 'program.mjs');
  // As the launcher of the package does, but with the sources.
  const begin = `#!/usr/bin/env -S ${process.execPath} --import ${import.meta.resolve('tsx')}`;
  writeFileSync(program, `${begin}\nimport ${JSON.stringify(pathToFileURL(main).href)};\n`);
  chmodSync(program, 0o755);
  for (const name of ['kubectl-afloat', 'kubectl_complete-afloat']) symlinkSync(program, join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function call(...words: string[]): Promise<string> {
  const PATH = [folder, process.env['PATH']].join(delimiter);
  const { stdout } = await run(kubectl, words, { env: { PATH, HOME: folder } });
  return stdout;
}

test('kubectl lists it as its plugin', async () => {
  expect(await call('plugin', 'list')).toContain(join(folder, 'kubectl-afloat'));
});

test('it runs, and speaks of itself by the name it was called by', async () => {
  const help = await call('afloat', 'plan', '--help');
  expect(help).toContain('Usage: kubectl afloat plan ');
  expect(help).toContain('$ kubectl afloat plan examples/cloud.yaml');
  expect(help).not.toMatch(/\$ afloat/);
});

test('words and exit code are handed over', async () => {
  await expect(call('afloat', 'nothing')).rejects.toMatchObject({
    code: 64,
    stderr: expect.stringContaining('See `kubectl afloat help`'),
  });
});

test('kubectl completes its words', async () => {
  expect((await call('__complete', 'afloat', 'plan', '-o', 'ma')).split('\n')).toContain('markdown');
  expect(await call('__complete', 'afloat', 'stat')).toMatch(/^status\t/m);
});
