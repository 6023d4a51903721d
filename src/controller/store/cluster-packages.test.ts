import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { CutCluster } from '../../testing/cut-cluster.ts';
import { ClusterPackages } from './cluster-packages.ts';
import { compress, packFiles, unpackFiles } from './package-archive.ts';
import { packageChunks, pushPackages } from './push-packages.ts';
import { secretType } from './secret-access.ts';
import { aPackage, damage, filesOf, noise } from './store-world.contract.ts';
import { keepChunks } from './stored-chunks.ts';

const namespace = 'default';
const identity = aPackage('identity/1', {
  'lifecycle.yaml': 'service: identity\n',
  blob: noise(700_000, 'one'),
});

let folder: StoreFolder;
let cluster: EmbeddedCluster;

beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
});
afterEach(() => folder[Symbol.asyncDispose]());

describe('ClusterPackages', () => {
  it('says what to do about a package that was never pushed', async () => {
    const read = await new ClusterPackages(cluster, namespace).read(identity.source);
    expect(read).toMatchObject({ ok: false, findings: [{ code: 'PackageNotInCluster' }] });
    expect(!read.ok && read.findings[0]?.advice).toContain('afloat push');
    expect(!read.ok && read.findings[0]?.message).toBe('package identity/1 is not in the cluster');
  });

  it('names the Secret that is damaged', async () => {
    await pushPackages(cluster, namespace, [identity]);
    const name = packageChunks(namespace, identity.digest).nameOf(1);
    await damage(cluster, namespace, name);
    const read = await new ClusterPackages(cluster, namespace).read(identity.source);
    expect(read).toMatchObject({ ok: false, findings: [{ code: 'StoredContentDamaged' }] });
    expect(!read.ok && read.findings.map(({ message }) => message)).toEqual([
      `package identity/1: Secret ${name} is damaged`,
    ]);
  });

  it('names the Secret that is gone', async () => {
    await pushPackages(cluster, namespace, [identity]);
    const name = packageChunks(namespace, identity.digest).nameOf(1);
    await cluster.delete({ ...secretType, namespace, name });
    const read = await new ClusterPackages(cluster, namespace).read(identity.source);
    expect(!read.ok && read.findings.map(({ message }) => message)).toEqual([
      `package identity/1: Secret ${name} is gone`,
    ]);
  });

  it('takes no other package for the one it was asked for', async () => {
    const other = filesOf({ 'lifecycle.yaml': 'service: other\n' });
    await keepChunks(cluster, packageChunks(namespace, identity.digest), await packFiles(other));
    const read = await new ClusterPackages(cluster, namespace).readDigest(identity.digest);
    expect(read).toMatchObject({ ok: false, findings: [{ code: 'StoredContentDamaged' }] });
  });

  it('does not read what it has at hand, and keeps no more at hand than it may', async () => {
    const other = aPackage('other/1', { blob: noise(700_000, 'other') });
    await pushPackages(cluster, namespace, [identity, other]);
    const seen = new CutCluster(cluster);
    const packages = new ClusterPackages(seen, namespace, { cacheBytes: 1_000_000 });
    const callsOf = async (digest: string) => {
      const before = seen.calls().length;
      expect(await packages.readDigest(digest)).toMatchObject({ ok: true });
      return seen.calls().length - before;
    };
    expect(await callsOf(identity.digest)).toBe(2);
    expect(await callsOf(identity.digest)).toBe(0);
    expect(await callsOf(other.digest)).toBe(2);
    expect(await callsOf(other.digest)).toBe(0);
    expect(await callsOf(identity.digest)).toBe(2);
  });
});

describe('unpackFiles', () => {
  it('is the way back of packFiles, for no files too', async () => {
    const files = filesOf({ 'a/b': 'x', a2: '', '#': '#!x', ä: 'ä' });
    expect(await unpackFiles(await packFiles(files))).toEqual(files);
    expect(await unpackFiles(await packFiles([]))).toEqual([]);
  });

  const archive = (list: unknown, bytes = '') => compress(Buffer.from(`${JSON.stringify(list)}\n${bytes}`));
  it.each([
    { name: 'a path that climbs out', list: [['../a', false, 0]] },
    { name: 'an absolute path', list: [['/etc/passwd', false, 0]] },
    { name: 'a path that is written in two ways', list: [['a//b', false, 0]] },
    {
      name: 'a file that is a folder of another',
      list: [
        ['a', false, 0],
        ['a/b', false, 0],
      ],
    },
    {
      name: 'the same path twice',
      list: [
        ['a', false, 0],
        ['a', false, 0],
      ],
    },
    {
      name: 'paths out of order',
      list: [
        ['b', false, 0],
        ['a', false, 0],
      ],
    },
    { name: 'a length that is not there', list: [['a', false, 5]] },
    { name: 'bytes of no file', list: [['a', false, 0]], bytes: 'x' },
    {
      name: 'a negative length',
      list: [
        ['a', false, -1],
        ['b', false, 1],
      ],
    },
    { name: 'a file larger than allowed', list: [['a', false, 17 * 1024 ** 2]] },
    { name: 'something else than a list', list: { a: 1 } },
    {
      name: 'too many files',
      list: Array.from({ length: 2001 }, (_, n) => [`${n}`.padStart(5, '0'), false, 0]),
    },
  ])('refuses $name', async ({ list, bytes }) => {
    expect(await unpackFiles(await archive(list, bytes))).toBeUndefined();
  });

  it('refuses what expands without measure', async () => {
    expect(await unpackFiles(await compress(Buffer.alloc(80 * 1024 ** 2)))).toBeUndefined();
  });

  it('refuses bytes that are no archive', async () => {
    expect(await unpackFiles(Buffer.from('nothing of ours'))).toBeUndefined();
  });
});
