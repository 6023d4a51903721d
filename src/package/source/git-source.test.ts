import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDigest } from '../package-digest.ts';
import type { PackageLimits } from '../source.ts';
import { FolderSource } from './folder-source.ts';
import { GitSource } from './git-source.ts';
import { codesOf, type MadeEntry, sourceContract, textsOf, writeFolder } from './source.contract.ts';

let base: string;
let made = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'afloat-git-test-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** A repository with these files, and its commit. */
async function aRepository(entries: readonly MadeEntry[]): Promise<{ location: string; commit: string }> {
  const location = `repository-${made++}`;
  const folder = join(base, location);
  await writeFolder(folder, entries);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  return { location, commit: commitAll(folder) };
}

function commitAll(folder: string): string {
  git(folder, 'add', '--force', '--all', '.');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'x');
  return git(folder, 'rev-parse', 'HEAD');
}

const open = (limits?: PackageLimits) =>
  new GitSource({ base, protocols: ['https', 'ssh', 'file'], ...(limits ? { limits } : {}) });

// git itself leaves `.git` out, and cannot hold an empty folder: the rest of the contract is the same.
sourceContract(
  'GitSource',
  async (entries, limits) => {
    const kept = entries.filter(({ path }) => !path.split('/').includes('.git'));
    const { location, commit } = await aRepository(kept);
    return open(limits).read({ type: 'git', location, commit });
  },
  async () => {
    const repository = await aRepository([{ path: 'a' }]);
    return open().read({ type: 'git', ...repository, path: 'nowhere/at/all' });
  },
);

describe('GitSource', () => {
  it('gives the same package as the folder that was committed, whatever came after', async () => {
    const entries = [
      { path: 'lifecycle.yaml', text: 'service: a' },
      { path: 'bin/run', text: '#!', executable: true as const },
    ];
    const { location, commit } = await aRepository(entries);
    await writeFile(join(base, location, 'lifecycle.yaml'), 'service: b');
    const later = commitAll(join(base, location));
    const ofCommit = await open().read({ type: 'git', location, commit });
    await writeFolder(join(base, 'same'), entries);
    const ofFolder = await new FolderSource(base).read({ type: 'local', location: 'same' });
    expect(ofCommit.ok && ofFolder.ok && packageDigest(ofCommit.files)).toBe(
      ofFolder.ok && packageDigest(ofFolder.files),
    );
    expect(textsOf(await open().read({ type: 'git', location, commit: later }))).toContainEqual([
      'lifecycle.yaml',
      'service: b',
    ]);
  });

  it('reads one folder of a repository of many packages, from an address as from a path', async () => {
    const { location, commit } = await aRepository([
      { path: 'packages/a/1/lifecycle.yaml', text: 'a' },
      { path: 'packages/b/1/lifecycle.yaml', text: 'b' },
    ]);
    for (const address of [location, `file://${join(base, location)}`]) {
      const read = await open().read({ type: 'git', location: address, commit, path: 'packages/b/1' });
      expect(textsOf(read)).toEqual([['lifecycle.yaml', 'b']]);
    }
  });

  it('leaves no folder behind and runs no hook, filter or submodule of the repository', async () => {
    const before = await readdir(tmpdir());
    const { location, commit: first } = await aRepository([{ path: 'a', text: '1' }]);
    const folder = join(base, location);
    const mark = join(base, 'ran');
    await writeFile(join(folder, '.gitattributes'), '* filter=evil\n');
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${first},module`);
    const commit = commitAllButModules(folder);
    for (const hook of ['post-checkout', 'post-merge', 'reference-transaction'])
      await writeFile(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const read = await open().read({ type: 'git', location, commit });
    expect(codesOf(read)).toEqual(['PackageUnsafe']); // the submodule
    expect(textsOf(await open().read({ type: 'git', location, commit: first }))).toEqual([['a', '1']]);
    expect(await readdir(base)).not.toContain('ran');
    const left = (await readdir(tmpdir())).filter(
      name => /^afloat-git-(?!test)/.test(name) && !before.includes(name),
    );
    expect(left).toEqual([]);
  });

  it.each([
    ['branch', 'main'],
    ['short id', '0123456'],
    ['option', '--upload-pack=touch'],
    ['silence', undefined],
  ])('takes no %s for a commit', async (_, commit) => {
    const { location } = await aRepository([{ path: 'a' }]);
    const source = { type: 'git' as const, location, ...(commit === undefined ? {} : { commit }) };
    expect(codesOf(await open().read(source))).toEqual(['FieldInvalid']);
  });

  const full = '0123456789abcdef0123456789abcdef01234567';
  it.each([
    ['a helper', 'ext::sh -c touch% /tmp/x', 'PackageUnsafe'],
    ['an option', '--upload-pack=touch', 'PackageUnsafe'],
    ['a protocol that is not allowed', 'git://example.org/x', 'PackageUnsafe'],
    ['plain http', 'http://example.org/x', 'PackageUnsafe'],
    ['a password', 'https://me:word@example.org/x', 'InlineSecret'],
    ['a line break', 'https://example.org/x\ny', 'PackageUnsafe'],
  ])('refuses an address that is %s before git is asked', async (_, location, code) => {
    expect(codesOf(await open().read({ type: 'git', location, commit: full }))).toEqual([code]);
  });

  it('speaks no protocol that it was not given', async () => {
    const { location, commit } = await aRepository([{ path: 'a' }]);
    const remote = new GitSource({ base, protocols: ['https', 'ssh'] });
    for (const address of [location, `file://${join(base, location)}`])
      expect(codesOf(await remote.read({ type: 'git', location: address, commit }))).toEqual([
        'PackageUnsafe',
      ]);
  });

  it('a commit or a folder that is not there, and a path that climbs out, are told', async () => {
    const { location, commit } = await aRepository([{ path: 'a' }]);
    const read = (more: object) => open().read({ type: 'git', location, commit, ...more });
    expect(codesOf(await read({ commit: full }))).toEqual(['GitFailed']);
    expect(codesOf(await read({ path: 'b' }))).toEqual(['PackageNotFound']);
    expect(codesOf(await read({ path: '../a' }))).toEqual(['PackageUnsafe']);
  });

  it('a link that leads out of the folder of the package is refused, also where it stays in the repository', async () => {
    const { location, commit } = await aRepository([
      { path: 'a/link', link: '../b/secret' },
      { path: 'a/file' },
      { path: 'b/secret' },
    ]);
    expect(codesOf(await open().read({ type: 'git', location, commit, path: 'a' }))).toEqual([
      'PackageUnsafe',
    ]);
  });

  it('a server that does not answer is given up, and a repository that is too large is not fetched', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const slow = new GitSource({ base, protocols: ['https'], seconds: 1 });
    const answer = await slow.read({ type: 'git', location: `https://127.0.0.1:${port}/x`, commit: full });
    expect(!answer.ok && answer.findings).toMatchObject([
      { code: 'GitFailed', message: expect.stringContaining('longer than 1 seconds') },
    ]);
    server.close();
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 2654435761) % 251));
    const { location, commit } = await aRepository([
      { path: 'large', text: Buffer.concat([noise, Buffer.from(noise).reverse()]) },
    ]);
    const small = new GitSource({ base, protocols: ['file'], fetchBytes: 512 });
    expect(codesOf(await small.read({ type: 'git', location, commit }))).toEqual(['GitFailed']);
  });
});

function commitAllButModules(folder: string): string {
  git(folder, 'add', '.gitattributes');
  git(folder, 'commit', '--quiet', '-m', 'y');
  return git(folder, 'rev-parse', 'HEAD');
}
