import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareFiles, writeFiles } from './compare-files.ts';

let root: string;
const wanted = [
  { path: 'out/a.md', content: 'a\n' },
  { path: 'out/below/b.md', content: 'b\n' },
];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'afloat-generate-'));
});
afterEach(() => rm(root, { recursive: true }));

test('files that are not there yet are missing', async () => {
  expect(await compareFiles(root, ['out'], wanted)).toEqual([
    { path: 'out/a.md', state: 'missing' },
    { path: 'out/below/b.md', state: 'missing' },
  ]);
});

test('what was written is as wanted', async () => {
  await writeFiles(root, ['out'], wanted);
  expect(await compareFiles(root, ['out'], wanted)).toEqual([]);
  expect(await readFile(join(root, 'out/below/b.md'), 'utf8')).toBe('b\n');
});

test('a changed file is stale, a file nobody generates is extra, and writing mends both', async () => {
  await writeFiles(root, ['out'], wanted);
  await writeFile(join(root, 'out/a.md'), 'edited by hand\n');
  await writeFile(join(root, 'out/below/old.md'), 'left over\n');
  const differences = [
    { path: 'out/a.md', state: 'stale' },
    { path: 'out/below/old.md', state: 'extra' },
  ];
  expect(await compareFiles(root, ['out'], wanted)).toEqual(differences);
  expect(await writeFiles(root, ['out'], wanted)).toEqual(differences);
  expect(await compareFiles(root, ['out'], wanted)).toEqual([]);
  expect(await readdir(join(root, 'out/below'))).toEqual(['b.md']);
});
