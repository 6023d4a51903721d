import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load, standardInput } from './load.ts';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'afloat-load-'));
  await mkdir(join(root, 'folder', 'below.yaml'), { recursive: true });
  await mkdir(join(root, 'empty'));
  await writeFile(join(root, 'folder', 'b.yml'), 'b: 1\n---\nb: 2\n');
  await writeFile(join(root, 'folder', 'a.yaml'), '\uFEFFa: 1\n');
  await writeFile(join(root, 'folder', 'c.json'), '{"c": 1}');
  await writeFile(join(root, 'folder', '.hidden.yaml'), 'h: 1\n');
  await writeFile(join(root, 'folder', 'below.yaml', 'd.yaml'), 'd: 1\n');
  await writeFile(join(root, 'latin1.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe4]));
  await writeFile(join(root, 'utf16.yaml'), Buffer.from('\uFEFFa: 1\n', 'utf16le'));
  await writeFile(join(root, 'large.yaml'), Buffer.alloc(2 * 1024 * 1024 + 1, 'a'));
  await writeFile(join(root, 'broken.yaml'), 'a: [\n');
  await symlink('loop.yaml', join(root, 'loop.yaml'));
});

afterAll(() => rm(root, { recursive: true }));

describe('load', () => {
  const rows: { name: string; paths: string[]; objects?: unknown[]; findings?: string[] }[] = [
    { name: 'reads a file', paths: ['folder/a.yaml'], objects: [{ a: 1 }] },
    {
      name: 'reads a folder by name, and nothing below it',
      paths: ['folder'],
      objects: [{ a: 1 }, { b: 1 }, { b: 2 }],
    },
    {
      name: 'reads a file once however often it is named',
      paths: ['folder', 'folder/../folder/a.yaml', 'folder/'],
      objects: [{ a: 1 }, { b: 1 }, { b: 2 }],
    },
    { name: 'reads any file that is named outright', paths: ['folder/c.json'], objects: [{ c: 1 }] },
    { name: 'finds nothing in an empty folder', paths: ['empty'], findings: ['FileEmpty empty'] },
    { name: 'misses what is not there', paths: ['none.yaml'], findings: ['FileUnreadable none.yaml'] },
    {
      name: 'cannot go through a file',
      paths: ['broken.yaml/x.yaml'],
      findings: ['FileUnreadable broken.yaml/x.yaml'],
    },
    { name: 'does not run in circles', paths: ['loop.yaml'], findings: ['FileUnreadable loop.yaml'] },
    { name: 'refuses Latin-1', paths: ['latin1.yaml'], findings: ['FileNotText latin1.yaml'] },
    { name: 'refuses UTF-16', paths: ['utf16.yaml'], findings: ['FileNotText utf16.yaml'] },
    { name: 'refuses a large file', paths: ['large.yaml'], findings: ['FileTooLarge large.yaml'] },
    { name: 'hands on what the parser finds', paths: ['broken.yaml'], findings: ['YamlSyntax broken.yaml'] },
    {
      name: 'goes on after a file that is missing',
      paths: ['none.yaml', 'folder/a.yaml'],
      objects: [{ a: 1 }],
      findings: ['FileUnreadable none.yaml'],
    },
  ];
  it.each(rows)('$name', async ({ paths, objects = [], findings = [] }) => {
    const loaded = await load(paths.map(path => `${root}/${path}`));
    expect(loaded.manifests.map(({ object }) => object)).toEqual(objects);
    expect(loaded.findings.map(({ code, file }) => `${code} ${file?.slice(root.length + 1)}`)).toEqual(
      findings,
    );
  });

  it('reads standard input, given as text, for a dash', async () => {
    const { manifests } = await load(['-', '-'], 'a: 1\n');
    expect(manifests.map(({ file, object }) => ({ file, object }))).toEqual([
      { file: standardInput, object: { a: 1 } },
    ]);
  });

  it('does not read a device without end', async () => {
    const { findings } = await load(['/dev/zero']);
    expect(findings.map(({ code }) => code)).toEqual(['FileTooLarge']);
  });
});
