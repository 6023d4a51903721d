import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finding } from '../api/finding.ts';
import type { Source } from '../api/openstack-deployment.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { ClusterPackages } from '../controller/store/cluster-packages.ts';
import { pushPackages } from '../controller/store/push-packages.ts';
import { packageDigest } from '../package/package-digest.ts';
import type { PackageFiles, PackageRead, PackageSource } from '../package/source.ts';
import { OperatorPackages } from './operator-packages.ts';

const namespace = 'packages';
let folder: string;
let cluster: EmbeddedCluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-packages-'));
  cluster = await EmbeddedCluster.open(folder);
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const filesOf = (text: string): PackageFiles => [{ path: 'a', bytes: Buffer.from(text), executable: false }];
const textOf = (read: PackageRead) =>
  read.ok ? Buffer.from(read.files[0]?.bytes ?? []).toString() : read.findings[0]?.code;

/** A source with one package, which counts how often it was asked. */
function one(location: string, text: string): PackageSource & { asked: number } {
  return {
    asked: 0,
    async read(source: Source) {
      this.asked++;
      if (source.location === location) return { ok: true, files: filesOf(text) };
      return { ok: false, findings: [finding('PackageNotFound', 'not there')] };
    },
  };
}

const open = (options: ConstructorParameters<typeof OperatorPackages>[1] = {}) =>
  new OperatorPackages(new ClusterPackages(cluster, namespace), options);
const push = (source: Source, text: string) =>
  pushPackages(cluster, namespace, [{ source, files: filesOf(text), digest: packageDigest(filesOf(text)) }]);

describe('an operator reads a package', () => {
  it('from its folder where it lies there, otherwise from the cluster', async () => {
    await push({ type: 'local', location: 'both' }, 'pushed');
    await push({ type: 'local', location: 'pushed' }, 'pushed');
    const packages = open({ root: one('both', 'of the folder') });
    expect(textOf(await packages.read({ type: 'local', location: 'both' }))).toBe('of the folder');
    expect(textOf(await packages.read({ type: 'local', location: 'pushed' }))).toBe('pushed');
    expect(textOf(await packages.read({ type: 'local', location: 'none' }))).toBe('PackageNotInCluster');
  });

  it('by its content, also where it only lies in the folder', async () => {
    const packages = open({ root: one('own', 'by content') });
    const digest = packageDigest(filesOf('by content'));
    expect(textOf(await packages.readDigest(digest))).toBe('PackageNotInCluster');
    await packages.read({ type: 'local', location: 'own' });
    expect(textOf(await packages.readDigest(digest))).toBe('by content');
  });

  it('of a repository once, and from the cluster from then on', async () => {
    const source = { type: 'git', location: 'https://example.org/x', commit: 'a'.repeat(40) } as const;
    const git = one(source.location, 'fetched');
    const keep = (fetched: Parameters<typeof pushPackages>[2][number]) =>
      pushPackages(cluster, namespace, [fetched]);
    expect(textOf(await open({ git, keep }).read(source))).toBe('fetched');
    expect(textOf(await open({ git, keep }).read(source))).toBe('fetched');
    expect(git.asked).toBe(1);
    const other = { ...source, commit: 'b'.repeat(40) };
    expect(textOf(await open().read(other))).toBe('PackageNotInCluster');
    expect(textOf(await open({ git, keep }).read({ ...source, path: 'p' }))).toBe('fetched');
    expect(git.asked).toBe(2);
  });

  it('of a repository that fails no more often than now and then', async () => {
    const git = one('nowhere', '');
    const packages = open({ git });
    const source = { type: 'git', location: 'https://example.org/y', commit: 'c'.repeat(40) } as const;
    for (let round = 0; round < 3; round++)
      expect(textOf(await packages.read(source))).toBe('PackageNotFound');
    expect(git.asked).toBe(1);
  });
});
