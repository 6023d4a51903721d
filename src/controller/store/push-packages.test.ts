import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageLabel } from '../../api/labels.ts';
import { shortDigest } from '../../base/digest.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { packageDigest } from '../../package/package-digest.ts';
import { ClusterPackages } from './cluster-packages.ts';
import { readIndex, sourceKey } from './package-index.ts';
import { packageChunks, pushPackages } from './push-packages.ts';
import {
  aPackage,
  cutEverywhere,
  damage,
  namespaceIn,
  noise,
  secretNames,
  secretsOf,
} from './store-world.contract.ts';

const small = aPackage('packages/identity/1.0.0', {
  'lifecycle.yaml': 'service: identity\nversion: "1.0.0"\n',
  'bin/run': '#!/bin/sh\n',
  empty: '',
});
const large = aPackage('packages/image/1.0.0', {
  'lifecycle.yaml': 'service: image\n',
  blob: noise(1_200_000, 'blob'),
});

let folder: StoreFolder;
let cluster: EmbeddedCluster;
let namespace: string;

beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
  namespace = await namespaceIn(cluster, 'openstack');
});
afterEach(() => folder[Symbol.asyncDispose]());

/** The digest of what is read, or the codes of what is wrong: bytes by the million are slow to compare. */
async function read(location: string, from = namespace): Promise<string> {
  const found = await new ClusterPackages(cluster, from).read({ type: 'local', location });
  return found.ok ? packageDigest(found.files) : found.findings.map(({ code }) => code).join();
}

describe('pushPackages', () => {
  it('gives back every file with its bytes and its executable bit', async () => {
    await pushPackages(cluster, namespace, [small, large]);
    const packages = new ClusterPackages(cluster, namespace);
    expect(await packages.read(small.source)).toEqual({ ok: true, files: small.files });
    expect(await read(large.source.location)).toBe(large.digest);
    expect(await new ClusterPackages(cluster, namespace).readDigest(large.digest)).toMatchObject({
      ok: true,
    });
  });

  it('keeps a large package in several immutable Secrets that are named and labelled by digest', async () => {
    await pushPackages(cluster, namespace, [large]);
    const hex = large.digest.slice(7, 27);
    expect(await secretNames(cluster, namespace)).toEqual([0, 1, 2].map(n => `afloat-package-${hex}-${n}`));
    for (const secret of await secretsOf(cluster, namespace)) {
      expect(secret['immutable']).toBe(true);
      expect(secret.metadata.labels).toEqual({
        'app.kubernetes.io/managed-by': 'afloat',
        [packageLabel]: shortDigest(large.digest),
      });
    }
    const entry = (await readIndex(cluster, namespace)).get(sourceKey(large.source));
    expect(entry).toMatchObject({ ...large.source, digest: large.digest, chunks: 3 });
  });

  it('leaves what is there', async () => {
    await pushPackages(cluster, namespace, [small, large]);
    const before = await secretsOf(cluster, namespace);
    await pushPackages(cluster, namespace, [large, small]);
    expect(await secretsOf(cluster, namespace)).toEqual(before);
  });

  it('keeps the same content of two locations once', async () => {
    const twin = { ...small, source: { type: 'tar' as const, location: 'identity.tar' } };
    await pushPackages(cluster, namespace, [small, twin]);
    expect(await secretNames(cluster, namespace)).toHaveLength(1);
    expect((await readIndex(cluster, namespace)).size).toBe(2);
  });

  it('leads a location to what was pushed last', async () => {
    const newer = aPackage(small.source.location, { 'lifecycle.yaml': 'service: identity\n' });
    await pushPackages(cluster, namespace, [small]);
    await pushPackages(cluster, namespace, [newer]);
    expect(await read(small.source.location)).toBe(newer.digest);
  });

  it('loses no key when several push at the same time', async () => {
    const many = Array.from({ length: 12 }, (_, n) => aPackage(`p/${n}`, { file: `${n}` }));
    await Promise.all(many.map(one => pushPackages(cluster, namespace, [one])));
    for (const { source, digest } of many) expect(await read(source.location)).toBe(digest);
  });

  it('refuses a digest that is not that of the files', async () => {
    const wrong = pushPackages(cluster, namespace, [{ ...small, digest: large.digest }]);
    await expect(wrong).rejects.toMatchObject({ code: 'DigestMismatch' });
    expect(await secretNames(cluster, namespace)).toEqual([]);
  });

  it('touches no Secret of that name that is not ours', async () => {
    const name = packageChunks(namespace, small.digest).nameOf(0);
    await cluster.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data: {} });
    await expect(pushPackages(cluster, namespace, [small])).rejects.toMatchObject({
      reason: 'AlreadyExists',
    });
    expect((await secretsOf(cluster, namespace))[0]?.['data'] ?? {}).toEqual({});
  });

  it('replaces a half that other bytes were to follow', async () => {
    const set = packageChunks(namespace, large.digest);
    await pushPackages(cluster, namespace, [large]);
    await damage(cluster, namespace, set.nameOf(1));
    await pushPackages(cluster, namespace, [large]);
    expect(await read(large.source.location)).toBe(large.digest);
  });

  it('can be cut off at any call: the index never leads to a half, and a second push makes it whole', async () => {
    const packages = [large, small];
    const cuts = await cutEverywhere(
      cluster,
      (process, place) => pushPackages(process, place, packages),
      async place => {
        for (const { source, digest } of packages)
          expect([digest, 'PackageNotInCluster']).toContain(await read(source.location, place));
        await pushPackages(cluster, place, packages);
        for (const { source, digest } of packages) expect(await read(source.location, place)).toBe(digest);
        expect(await secretNames(cluster, place)).toHaveLength(4);
      },
    );
    expect(cuts).toBeGreaterThan(10);
  });
});
