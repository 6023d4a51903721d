import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract, type Header } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changedPaths } from './changed-paths.ts';
import { writeLayer } from './write-layer.ts';

let folder: string;
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), 1_000_000, 1_000_000);
};

/** A system, and another one that began as it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-layer-'));
  for (const path of ['etc/same', 'etc/changed', 'etc/gone', 'old/one', 'dev/null'])
    put(`base/${path}`, 'text');
  symlinkSync('same', join(folder, 'base/etc/link'));
  execFileSync('cp', ['-a', join(folder, 'base'), join(folder, 'root')]);
  put('root/etc/changed', 'other text');
  put('root/new/one', 'new');
  put('root/dev/zero', '');
  rmSync(join(folder, 'root/etc/gone'));
  rmSync(join(folder, 'root/old'), { recursive: true });
  rmSync(join(folder, 'root/etc/link'));
  symlinkSync('changed', join(folder, 'root/etc/link'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function entriesOf(file: string): Promise<Header[]> {
  const archive = extract();
  archive.end(readFileSync(file));
  const headers: Header[] = [];
  for await (const entry of archive) {
    headers.push(entry.header);
    entry.resume();
  }
  return headers;
}

it('tells what is new, what is not the same and what is gone, and of a folder that is gone no more than that', () => {
  expect(changedPaths(join(folder, 'root'), join(folder, 'base'), ['dev'])).toEqual({
    changed: ['etc/changed', 'etc/link', 'new', 'new/one'],
    gone: ['etc/gone', 'old'],
  });
});

it('finds no difference between a folder and its copy', () => {
  cpSync(join(folder, 'root'), join(folder, 'other'), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  expect(changedPaths(join(folder, 'root'), join(folder, 'other'))).toEqual({ changed: [], gone: [] });
});

it('writes a layer of what makes one root of another, with the times of files and a mark for what is gone', async () => {
  const file = join(folder, 'upper.tar');
  const { digest, size } = await writeLayer(file, join(folder, 'root'), join(folder, 'base'));
  const bytes = readFileSync(file);
  expect({ digest, size }).toEqual({
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    size: bytes.length,
  });
  const entries = await entriesOf(file);
  expect(entries.map(({ name }) => name)).toEqual([
    ...['etc/changed', 'etc/link', 'new/', 'new/one', 'etc/.wh.gone', '.wh.old'],
  ]);
  expect(entries[0]?.mtime?.getTime()).toBe(1_000_000_000);
});

it('writes a whole root without what a container gets from who runs it', async () => {
  const file = join(folder, 'whole.tar');
  await writeLayer(file, join(folder, 'root'));
  const names = (await entriesOf(file)).map(({ name }) => name);
  expect(names).toEqual(['dev/', 'etc/', 'etc/changed', 'etc/link', 'etc/same', 'new/', 'new/one']);
});
