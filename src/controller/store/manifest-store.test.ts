import { describe, expect, it } from 'vitest';
import { flowLabel } from '../../api/labels.ts';
import { type PackageLifecycle, packageLifecycle } from '../../api/package-lifecycle.ts';
import { applyDefaults } from '../../api/schema/defaults.ts';
import { digestJson } from '../../base/digest.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { clusterForEachTest } from '../../cluster/embedded/store-folder.contract.ts';
import type { Bundle } from './bundle.ts';
import { flowLabelValue, keepManifests, readManifests } from './manifest-store.ts';
import { secretType } from './secret-access.ts';
import { cutEverywhere, damage, noise, secretNames, secretsOf } from './store-world.contract.ts';

const namespace = 'default';
const lifecycle = applyDefaults(packageLifecycle.json, {
  service: 'identity',
  version: '1.0.0',
}) as PackageLifecycle;

/** A bundle with a ConfigMap that holds so many bytes. */
function aBundle(seed: string, bytes = 100): Bundle {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { blob: noise(bytes, seed).toString('base64') },
  };
  return {
    ...{
      service: 'identity',
      version: '1.0.0',
      component: 'api',
      packageDigest: digestJson('package'),
      lifecycle,
    },
    objects: [{ object, role: 'support', phases: ['install', 'test'], file: 'etc.yaml' }],
    images: [],
    inventory: [],
    secretDigests: [],
  };
}

const name = { flow: 'identity-upgrade-1', name: 'identity-upgrade-1-api' };

let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

const digestOf = (bundles: readonly Bundle[]) => bundles.map(digestJson);

describe('keepManifests', () => {
  it('keeps a bundle in one immutable Secret that says whose it is', async () => {
    const names = await keepManifests(cluster, namespace, name, aBundle('one'));
    expect(names).toEqual(['afloat-manifests-identity-upgrade-1-api-0']);
    expect(await readManifests(cluster, namespace, names)).toEqual([aBundle('one')]);
    const [secret] = await secretsOf(cluster, namespace);
    expect(secret?.['immutable']).toBe(true);
    expect(secret?.metadata.labels).toMatchObject({ [flowLabel]: name.flow });
  });

  it('keeps a large bundle in several', async () => {
    const large = aBundle('large', 1_200_000);
    const names = await keepManifests(cluster, namespace, name, large);
    expect(names.length).toBeGreaterThan(2);
    expect(digestOf(await readManifests(cluster, namespace, names))).toEqual([digestJson(large)]);
  });

  it('lets what the flow kept before stand, whatever it would keep now', async () => {
    const first = await keepManifests(cluster, namespace, name, aBundle('first', 600_000));
    const again = await keepManifests(cluster, namespace, name, aBundle('second', 1_200_000));
    expect(again).toEqual(first);
    expect(digestOf(await readManifests(cluster, namespace, again))).toEqual([
      digestJson(aBundle('first', 600_000)),
    ]);
  });

  it('touches nothing of another flow', async () => {
    await keepManifests(cluster, namespace, name, aBundle('first'));
    const other = keepManifests(cluster, namespace, { ...name, flow: 'another' }, aBundle('second'));
    await expect(other).rejects.toMatchObject({ reason: 'AlreadyExists' });
    expect(await readManifests(cluster, namespace, await secretNames(cluster, namespace))).toEqual([
      aBundle('first'),
    ]);
  });

  it('never mixes the halves of two bundles, wherever the first attempt was cut off', async () => {
    const [before, after] = [aBundle('before', 1_200_000), aBundle('after', 900_000)];
    const cuts = await cutEverywhere(
      cluster,
      (process, place) => keepManifests(process, place, name, before),
      async place => {
        const names = await keepManifests(cluster, place, name, after);
        const [kept] = digestOf(await readManifests(cluster, place, names));
        expect([digestJson(before), digestJson(after)]).toContain(kept);
        expect(await keepManifests(cluster, place, name, before)).toEqual(names);
      },
    );
    expect(cuts).toBeGreaterThan(6);
  });

  it('is of one mind when two managers keep something else at the same time', async () => {
    const both = [aBundle('left', 1_200_000), aBundle('right', 1_200_000)];
    await Promise.allSettled(both.map(one => keepManifests(cluster, namespace, name, one)));
    const names = await keepManifests(cluster, namespace, name, aBundle('third', 1_200_000));
    const [kept] = digestOf(await readManifests(cluster, namespace, names));
    expect([...both, aBundle('third', 1_200_000)].map(digestJson)).toContain(kept);
  });

  it('says so when somebody else leaves it no room', async () => {
    const names = await keepManifests(cluster, namespace, name, aBundle('one', 700_000));
    await cluster.delete({ ...secretType, namespace, name: names[0] ?? '' });
    const metadata = { name: names[0] ?? '', namespace };
    await cluster.create({ ...secretType, metadata, data: {} });
    await expect(keepManifests(cluster, namespace, name, aBundle('one'))).rejects.toMatchObject({
      reason: 'AlreadyExists',
    });
  });
});

describe('readManifests', () => {
  it('reads several bundles by the names of all their Secrets, in that order', async () => {
    const [one, two] = [aBundle('one', 700_000), aBundle('two')];
    const first = await keepManifests(cluster, namespace, name, one);
    const second = await keepManifests(cluster, namespace, { ...name, name: 'other' }, two);
    expect(digestOf(await readManifests(cluster, namespace, [...second, ...first]))).toEqual(
      [two, one].map(digestJson),
    );
    expect(await readManifests(cluster, namespace, [])).toEqual([]);
  });

  it.each([
    { what: 'gone', hurt: (name: string) => cluster.delete({ ...secretType, namespace, name }) },
    { what: 'damaged', hurt: (name: string) => damage(cluster, namespace, name) },
  ])('names a Secret that is $what', async ({ what, hurt }) => {
    const names = await keepManifests(cluster, namespace, name, aBundle('one', 700_000));
    await hurt(names[1] ?? '');
    await expect(readManifests(cluster, namespace, names)).rejects.toMatchObject({
      code: 'StoredContentDamaged',
      message: expect.stringContaining(`Secret ${names[1]} is ${what}`),
    });
  });

  it('gives no part of a bundle for the whole', async () => {
    const names = await keepManifests(cluster, namespace, name, aBundle('one', 700_000));
    await expect(readManifests(cluster, namespace, names.slice(0, 1))).rejects.toMatchObject({
      code: 'StoredContentDamaged',
    });
  });
});

describe('flowLabelValue', () => {
  it('is the name where that is short enough, and tells long names apart', () => {
    expect(flowLabelValue('identity-1')).toBe('identity-1');
    const [a, b] = ['a', 'b'].map(end => flowLabelValue(`${'x'.repeat(80)}${end}`));
    expect(a).not.toBe(b);
    expect(a?.length).toBeLessThanOrEqual(63);
  });
});
