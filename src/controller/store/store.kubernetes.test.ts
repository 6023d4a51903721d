import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { packageDigest } from '../../package/package-digest.ts';
import { ClusterPackages } from './cluster-packages.ts';
import { findUnneeded, forgetUnneeded } from './forget-unneeded.ts';
import { readIndex } from './package-index.ts';
import { pushPackages } from './push-packages.ts';
import { aPackage, noise, secretNames, secretsOf } from './store-world.contract.ts';
import { chunkBytes } from './stored-chunks.ts';

const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: inject('kubernetes').kubeconfig }));
const large = aPackage('packages/keystone/1.0.0', {
  'lifecycle.yaml': 'service: keystone',
  'program.bin': noise(3 * chunkBytes, 'large'),
});

describe('packages in the Secrets of a real API server', () => {
  let namespace: string;
  beforeAll(async () => {
    namespace = (await cluster.create({ ...namespaces, metadata: { generateName: 'store-' } })).metadata.name;
    await pushPackages(cluster, namespace, [large]);
  }, 60_000);
  afterAll(async () => {
    await cluster.delete({ ...namespaces, name: namespace });
    await cluster.close();
  });

  test('lie in immutable chunks, named by their digest, of no more than 512 KiB each', async () => {
    const secrets = await secretsOf(cluster, namespace);
    expect(secrets.length).toBe(4);
    for (const secret of secrets) {
      expect(secret['immutable']).toBe(true);
      expect(secret.metadata.name).toContain(large.digest.slice(7, 27));
      expect(contentOf(secret).length).toBeLessThanOrEqual(chunkBytes);
    }
  });

  test('come back byte for byte, and a second push writes nothing', async () => {
    const before = (await secretsOf(cluster, namespace)).map(({ metadata }) => metadata.resourceVersion);
    await pushPackages(cluster, namespace, [large]);
    expect((await secretsOf(cluster, namespace)).map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before,
    );
    const read = await new ClusterPackages(cluster, namespace).read(large.source);
    expect(read.ok && packageDigest(read.files)).toBe(large.digest);
  });

  test('cannot be changed', async () => {
    const [first] = await secretsOf(cluster, namespace);
    const changed = { ...first, data: { content: 'AAAA' } } as unknown as StoredObject;
    await expect(cluster.update(changed)).rejects.toMatchObject({ reason: 'Invalid' });
  });

  test('that are not there say so, with the command that brings them', async () => {
    const read = await new ClusterPackages(cluster, namespace).read({ type: 'local', location: 'no/where' });
    expect(!read.ok && read.findings).toMatchObject([
      { code: 'PackageNotInCluster', advice: expect.stringContaining('afloat push') },
    ]);
  });

  test('go when no revision, flow or record needs them, and not before', async () => {
    const needs = async (packageDigest: string) => ({
      revisions: [
        {
          parts: [{ component: 'c', version: '1', packageDigest, inventory: [], slices: [], manifests: [] }],
        },
      ],
      ...{ flows: [], wanted: [], index: await readIndex(cluster, namespace) },
      ...{ secrets: await secretsOf(cluster, namespace), now: Date.now() + 1000, graceSeconds: 0 },
    });
    await forgetUnneeded(cluster, namespace, findUnneeded(await needs(large.digest)));
    expect(await secretNames(cluster, namespace)).toHaveLength(4);
    await forgetUnneeded(cluster, namespace, findUnneeded(await needs(`sha256:${'0'.repeat(64)}`)));
    expect(await secretNames(cluster, namespace)).toEqual([]);
    expect((await readIndex(cluster, namespace)).size).toBe(0);
  });
});

function contentOf(secret: StoredObject): Buffer {
  const { content = '' } = (secret['data'] ?? {}) as { content?: string };
  return Buffer.from(content, 'base64');
}
