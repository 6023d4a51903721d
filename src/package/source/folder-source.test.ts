import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderSource } from './folder-source.ts';
import { codesOf, sourceContract, textsOf, writeFolder } from './source.contract.ts';

let base: string;
let made = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'afloat-folder-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

sourceContract(
  'FolderSource',
  async (entries, limits) => {
    const location = `package-${made++}`;
    await writeFolder(join(base, location), entries);
    return new FolderSource(base, limits).read({ type: 'local', location });
  },
  () => new FolderSource(base).read({ type: 'local', location: 'nowhere/at/all' }),
);

describe('FolderSource', () => {
  const read = (location: string) => new FolderSource(base).read({ type: 'local', location });

  it('follows a location that is a link, since that is the word of the operator', async () => {
    await writeFolder(join(base, 'v1'), [{ path: 'a', text: '1' }]);
    await symlink('v1', join(base, 'current'));
    expect(textsOf(await read('current'))).toEqual([['a', '1']]);
  });

  it('takes an absolute location as it is', async () => {
    await writeFolder(join(base, 'absolute'), [{ path: 'a', text: '1' }]);
    expect(textsOf(await read(join(base, 'absolute')))).toEqual([['a', '1']]);
  });

  it('refuses a file where a folder should be', async () => {
    await writeFolder(base, [{ path: 'archive.tar', text: 'x' }]);
    expect(codesOf(await read('archive.tar'))).toEqual(['PackageInvalid']);
    expect(codesOf(await read('archive.tar/below'))).toEqual(['PackageNotFound']);
  });

  it('gives up on a folder whose every file is refused', async () => {
    const limits = { files: 5, fileBytes: 100, totalBytes: 1000 };
    await writeFolder(
      join(base, 'refused'),
      Array.from({ length: 50 }, (_, index) => ({ path: `a\\b/${index}` })),
    );
    const got = codesOf(await new FolderSource(base, limits).read({ type: 'local', location: 'refused' }));
    expect(got).toHaveLength(4 * limits.files + 1);
    expect(got.at(-1)).toBe('PackageTooLarge');
  });

  it('finds nothing at a location that is no path', async () => {
    expect(codesOf(await read('a\0b'))).toEqual(['PackageNotFound']);
  });

  it('refuses a pipe without waiting for it, and a socket', async () => {
    await writeFolder(join(base, 'pipes'), [{ path: 'a' }]);
    execFileSync('mkfifo', [join(base, 'pipes/pipe')]);
    const server = createServer();
    await new Promise<void>(resolve => server.listen(join(base, 'pipes/socket'), resolve));
    try {
      expect(codesOf(await read('pipes'))).toEqual(['PackageUnsafe', 'PackageUnsafe']);
    } finally {
      server.close();
    }
  });
});
