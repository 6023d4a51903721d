import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageLimits } from '../source.ts';
import { codesOf, type MadeEntry, packArchive, sourceContract, textsOf } from './source.contract.ts';
import { TarSource } from './tar-source.ts';

let base: string;
let made = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'afloat-tar-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function readArchive(bytes: Uint8Array, limits?: PackageLimits) {
  const location = `package-${made++}.tar`;
  await writeFile(join(base, location), bytes);
  return new TarSource(base, limits).read({ type: 'tar', location });
}

const readMissing = () => new TarSource(base).read({ type: 'tar', location: 'nowhere.tar' });
sourceContract(
  'TarSource',
  async (entries, limits) => readArchive(await packArchive(entries), limits),
  readMissing,
);
sourceContract(
  'TarSource with gzip',
  async (entries, limits) => readArchive(gzipSync(await packArchive(entries)), limits),
  readMissing,
);

describe('TarSource reads', () => {
  it('a hard link as a second file, also below the one top folder', async () => {
    const entries = [{ path: 'top/a', text: '1' }, { path: 'top/b' }];
    const asLink = ({ path }: MadeEntry) => (path === 'top/b' ? { type: 'link', linkname: 'top/a' } : {});
    expect(textsOf(await readArchive(await packArchive(entries, asLink)))).toEqual([
      ['a', '1'],
      ['b', '1'],
    ]);
  });

  it('paths that begin with ./ and folders that are there twice', async () => {
    const entries = ['./', './a/', './a/'].map((path): MadeEntry => ({ path, folder: true }));
    const archive = await packArchive([...entries, { path: './a/b', text: '1' }, { path: 'c', text: '2' }]);
    expect(textsOf(await readArchive(archive))).toEqual([
      ['a/b', '1'],
      ['c', '2'],
    ]);
  });
});

describe('TarSource refuses', () => {
  it.each<{ name: string; entries: MadeEntry[]; header?: object; want: string[] }>([
    { name: 'a path with ..', entries: [{ path: '../a' }], want: ['PackageUnsafe'] },
    { name: 'a path with .. inside', entries: [{ path: 'a/../../b' }], want: ['PackageUnsafe'] },
    { name: 'an absolute path', entries: [{ path: '/etc/passwd' }], want: ['PackageUnsafe'] },
    {
      name: 'every bad entry, not only the first',
      entries: [{ path: '../a' }, { path: '/b' }, { path: 'c' }],
      want: ['PackageUnsafe', 'PackageUnsafe'],
    },
    {
      name: 'a path that is there twice',
      entries: [
        { path: 'a', text: '1' },
        { path: './a', text: '2' },
      ],
      want: ['PackageUnsafe'],
    },
    {
      name: 'a file that is a folder too',
      entries: [
        { path: 'a/', folder: true },
        { path: 'a', text: '2' },
      ],
      want: ['PackageUnsafe'],
    },
    {
      name: 'a folder that is a file too',
      entries: [
        { path: 'a', text: '2' },
        { path: 'a/', folder: true },
      ],
      want: ['PackageUnsafe'],
    },
    {
      name: 'a file below a link, the oldest trick of all',
      entries: [
        { path: 'a', link: 'b' },
        { path: 'a/c', text: '1' },
        { path: 'b/c', text: '2' },
      ],
      want: ['PackageUnsafe'],
    },
    {
      name: 'a file below a file',
      entries: [{ path: 'a' }, { path: 'a/c', text: '1' }],
      want: ['PackageUnsafe'],
    },
    {
      name: 'a device',
      entries: [{ path: 'a' }],
      header: { type: 'character-device' },
      want: ['PackageUnsafe'],
    },
    { name: 'a pipe', entries: [{ path: 'a' }], header: { type: 'fifo' }, want: ['PackageUnsafe'] },
    {
      name: 'a hard link out',
      entries: [{ path: 'a' }],
      header: { type: 'link', linkname: '../b' },
      want: ['PackageUnsafe'],
    },
    {
      name: 'an absolute hard link',
      entries: [{ path: 'a' }],
      header: { type: 'link', linkname: '/b' },
      want: ['PackageUnsafe'],
    },
    {
      name: 'a hard link to nothing',
      entries: [{ path: 'a' }],
      header: { type: 'link', linkname: 'b' },
      want: ['PackageInvalid'],
    },
  ])('$name', async ({ entries, header = {}, want }) => {
    expect(codesOf(await readArchive(await packArchive(entries, () => header)))).toEqual(want);
  });

  it.each<{ name: string; make: () => Promise<Uint8Array> | Uint8Array; want: string[] }>([
    { name: 'an empty file', make: () => new Uint8Array(), want: ['PackageInvalid'] },
    {
      name: 'bytes that are no archive',
      make: () => Buffer.from('x'.repeat(2000)),
      want: ['PackageInvalid'],
    },
    {
      name: 'an archive that was cut off',
      make: async () => (await packArchive([{ path: 'a', text: 'x'.repeat(3000) }])).subarray(0, 1500),
      want: ['PackageInvalid'],
    },
    {
      name: 'a gzip that was cut off',
      make: async () => gzipSync(await packArchive([{ path: 'a', text: 'x'.repeat(3000) }])).subarray(0, 40),
      want: ['PackageInvalid'],
    },
    { name: 'a gzip bomb', make: () => gzipSync(Buffer.alloc(200 * 1024 ** 2)), want: ['PackageTooLarge'] },
  ])('$name', async ({ make, want }) => {
    expect(codesOf(await readArchive(await make()))).toEqual(want);
  });

  it('a folder where an archive should be', async () => {
    expect(codesOf(await new TarSource(base).read({ type: 'tar', location: '.' }))).toEqual([
      'PackageInvalid',
    ]);
  });

  it('or reads any damaged archive, but never throws', async () => {
    const sound = await packArchive([
      { path: 'top/a', text: 'x'.repeat(600) },
      { path: 'top/b', link: 'a' },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async changes => {
          const bytes = Uint8Array.from(sound);
          for (const [at, byte] of changes) bytes[at] = byte;
          const got = await readArchive(bytes);
          expect(got.ok || got.findings.length > 0).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
