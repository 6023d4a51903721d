import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { packageDigest } from '../package-digest.ts';
import { type PackageLimits, type PackageRead, packageLimits } from '../source.ts';

/** An entry of a package to be made for a test, as a folder and an archive can both have it. */
export interface MadeEntry {
  readonly path: string;
  readonly text?: string | Uint8Array;
  readonly executable?: true;
  readonly link?: string;
  readonly folder?: true;
}

/** Makes a package of these entries and reads it with the source under test. */
export type ReadMade = (entries: readonly MadeEntry[], limits?: PackageLimits) => Promise<PackageRead>;

/** A tar archive of the entries; `header` can change what the archive says of each. */
export async function packArchive(
  entries: readonly MadeEntry[],
  header: (entry: MadeEntry) => object = () => ({}),
): Promise<Uint8Array> {
  const archive = pack();
  for (const entry of entries) {
    const { path: name, link, folder, executable } = entry;
    const mode = executable ? 0o755 : 0o644;
    if (folder) archive.entry({ name, type: 'directory', ...header(entry) });
    else if (link !== undefined) archive.entry({ name, type: 'symlink', linkname: link, ...header(entry) });
    else archive.entry({ name, mode, ...header(entry) }, Buffer.from(entry.text ?? ''));
  }
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Writes the entries into a folder. */
export async function writeFolder(root: string, entries: readonly MadeEntry[]): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const { path, text = '', link, folder, executable } of entries) {
    const place = join(root, path);
    await mkdir(folder ? place : dirname(place), { recursive: true });
    if (link !== undefined) await symlink(link, place);
    else if (!folder) await writeFile(place, text);
    if (executable) await chmod(place, 0o755);
  }
}

const small: PackageLimits = { files: 5, fileBytes: 100, totalBytes: 250 };
const someFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}.yaml`, text: `${index}` }));

/** What every source of packages must do, whatever it reads from. */
export function sourceContract(name: string, read: ReadMade, readMissing: () => Promise<PackageRead>): void {
  describe(`${name} keeps the contract of a package source`, () => {
    describe('gives the files', () => {
      it.each<{ name: string; entries: MadeEntry[]; want: Record<string, string> }>([
        {
          name: 'sorted by path in code unit order, whatever order they come in',
          entries: [
            { path: 'b', text: '2' },
            { path: 'a/z', text: '3' },
            { path: 'Z', text: '1' },
            { path: 'a-b' },
          ],
          want: { Z: '1', 'a-b': '', 'a/z': '3', b: '2' },
        },
        { name: 'of no file at all as nothing', entries: [{ path: 'empty', folder: true }], want: {} },
        {
          name: 'without .git, wherever it lies and whatever is in it',
          entries: [
            { path: 'a' },
            { path: '.git/config' },
            { path: 'b/.git', text: 'x' },
            { path: '.gitignore' },
          ],
          want: { '.gitignore': '', a: '' },
        },
        {
          name: 'of a lone top folder as if it were the root',
          entries: [
            { path: 'keystone-22/a', text: '1' },
            { path: 'keystone-22/b/c', text: '2' },
          ],
          want: { a: '1', 'b/c': '2' },
        },
        {
          name: 'of two top folders as they are',
          entries: [
            { path: 'x/a', text: '1' },
            { path: 'y/a', text: '2' },
          ],
          want: { 'x/a': '1', 'y/a': '2' },
        },
        {
          name: 'behind a link to a file as a plain file',
          entries: [
            { path: 'a', text: '1' },
            { path: 'b/c', link: '../a' },
          ],
          want: { a: '1', 'b/c': '1' },
        },
        {
          name: 'behind a link to a folder as plain files',
          entries: [
            { path: 'a/x/y', text: '1' },
            { path: 'b', link: 'a' },
            { path: 'c', text: '3' },
          ],
          want: { 'a/x/y': '1', 'b/x/y': '1', c: '3' },
        },
        {
          name: 'behind a link that goes through another link',
          entries: [
            { path: 'a/x', text: '1' },
            { path: 'b', link: './a/' },
            { path: 'c', link: 'b/x' },
          ],
          want: { 'a/x': '1', 'b/x': '1', c: '1' },
        },
      ])('$name', async ({ entries, want }) => {
        expect(textsOf(await read(entries))).toEqual(Object.entries(want));
      });

      it('with the executable bit of the owner, through links too', async () => {
        const got = await read([{ path: 'a', executable: true }, { path: 'b' }, { path: 'c', link: 'a' }]);
        expect(got.ok && got.files.map(file => file.executable)).toEqual([true, false, true]);
      });

      it('byte for byte', async () => {
        const text = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
        const got = await read([{ path: 'a', text }]);
        expect(got.ok && Buffer.compare(got.files[0]?.bytes ?? new Uint8Array(), text)).toBe(0);
      });

      it('with the same digest as any other source', async () => {
        const got = await read([
          { path: 'a/b', text: '1', executable: true },
          { path: 'c', text: '2' },
        ]);
        const want = 'sha256:15b2a09a42b2cb9cd4aa6734796937f3e6a858abf6da3a468ee5f47f95fbc3c2';
        expect(got.ok && packageDigest(got.files)).toBe(want);
      });
    });

    describe('refuses', () => {
      it.each<{ name: string; entries: MadeEntry[]; want: string[] }>([
        {
          name: 'a link up and out',
          entries: [{ path: 'a/b', link: '../../x' }, { path: 'c' }],
          want: ['PackageUnsafe'],
        },
        { name: 'an absolute link', entries: [{ path: 'a', link: '/etc/passwd' }], want: ['PackageUnsafe'] },
        {
          name: 'a link out of the one top folder, though not out of the archive',
          entries: [{ path: 'top/a', link: '../top/b' }, { path: 'top/b' }],
          want: ['PackageUnsafe'],
        },
        {
          name: 'a link that leads out by way of another one',
          entries: [{ path: 'a/b/up', link: '..' }, { path: 'c', link: 'a/b/up/../../x' }, { path: 'd' }],
          want: ['PackageUnsafe', 'PackageUnsafe'],
        },
        { name: 'a link to itself', entries: [{ path: 'a', link: 'a' }], want: ['PackageUnsafe'] },
        {
          name: 'links that lead to each other, all of them',
          entries: [
            { path: 'a', link: 'b' },
            { path: 'b', link: 'a' },
          ],
          want: ['PackageUnsafe', 'PackageUnsafe'],
        },
        {
          name: 'a link to the folder it lies in',
          entries: [{ path: 'a/b', link: '.' }, { path: 'a/c' }, { path: 'd' }],
          want: ['PackageUnsafe'],
        },
        {
          name: 'folders with links to each other',
          entries: [
            { path: 'a/l', link: '../b' },
            { path: 'b/m', link: '../a' },
          ],
          want: ['PackageUnsafe', 'PackageUnsafe'],
        },
        { name: 'a link to nothing', entries: [{ path: 'a', link: 'b' }], want: ['PackageInvalid'] },
        { name: 'a name with a line break', entries: [{ path: 'a\nb' }], want: ['PackageUnsafe'] },
        { name: 'a name with a backslash', entries: [{ path: 'a\\..\\b' }], want: ['PackageUnsafe'] },
      ])('$name', async ({ entries, want }) => {
        expect(codesOf(await read(entries))).toEqual(want);
      });

      it('what is not there', async () => {
        expect(codesOf(await readMissing())).toEqual(['PackageNotFound']);
      });

      it('and names the entry', async () => {
        const got = await read([{ path: 'conf/link', link: '/etc/shadow' }, { path: 'a' }]);
        expect(got.ok ? '' : got.findings[0]?.message).toContain('"conf/link"');
      });
    });

    describe('keeps the limits:', () => {
      it('a few links that would become a million links to nothing are refused', async () => {
        const codes = codesOf(await read(linkBomb(20).slice(0, -1)));
        expect(codes).toContain('PackageTooLarge');
        expect(codes.length).toBeLessThanOrEqual(packageLimits.files + 1);
      });

      it.each<{ name: string; entries: MadeEntry[]; limits?: PackageLimits; want: string[] }>([
        { name: 'as many files as allowed are read', entries: someFiles(5), limits: small, want: [] },
        { name: 'one file more is refused', entries: someFiles(6), limits: small, want: ['PackageTooLarge'] },
        {
          name: 'a file of the largest size is read',
          entries: [{ path: 'a', text: 'x'.repeat(100) }],
          limits: small,
          want: [],
        },
        {
          name: 'a file one byte larger is refused',
          entries: [{ path: 'a', text: 'x'.repeat(101) }],
          limits: small,
          want: ['PackageTooLarge'],
        },
        {
          name: 'files that are too large together are refused',
          entries: ['a', 'b', 'c'].map(path => ({ path, text: 'x'.repeat(90) })),
          limits: small,
          want: ['PackageTooLarge'],
        },
        {
          name: 'links that copy a file count as files',
          entries: ['b', 'c', 'd']
            .map((path): MadeEntry => ({ path, link: 'a' }))
            .concat({ path: 'a', text: 'x'.repeat(90) }),
          limits: small,
          want: ['PackageTooLarge'],
        },
        {
          name: 'a few links that would become a million files are refused',
          entries: linkBomb(20),
          want: ['PackageTooLarge'],
        },
        { name: '2,000 files are read', entries: someFiles(packageLimits.files), want: [] },
        {
          name: '2,001 files are refused',
          entries: someFiles(packageLimits.files + 1),
          want: ['PackageTooLarge'],
        },
      ])('$name', async ({ entries, limits, want }) => {
        expect(codesOf(await read(entries, limits))).toEqual(want);
      });
    });
  });
}

/** Folder n holds two links to folder n + 1, so that the first one has two to the power of `depth` files. */
function linkBomb(depth: number): MadeEntry[] {
  const links = Array.from({ length: depth }, (_, index) => [
    { path: `d${index}/a`, link: `../d${index + 1}` },
    { path: `d${index}/b`, link: `../d${index + 1}` },
  ]);
  return [...links.flat(), { path: `d${depth}/file` }];
}

/** The codes of the findings; none when the package was read. */
export function codesOf(read: PackageRead): string[] {
  return read.ok ? [] : read.findings.map(({ code }) => code);
}

/** Path and text of each file. */
export function textsOf(read: PackageRead): [string, string][] {
  if (!read.ok) return [['refused', read.findings.map(({ message }) => message).join('; ')]];
  return read.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);
}
