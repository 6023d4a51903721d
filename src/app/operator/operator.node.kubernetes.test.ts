import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { loadOperatorImage } from '../../../scripts/kubernetes/node/operator-image.ts';
import { askForNode } from '../../../scripts/kubernetes/node-door.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { eventually } from '../../cluster/contract/case-world.contract.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { firstRecord } from '../../testing/shipped-cluster.ts';
import { operatorObjects } from '../deploy/install-objects.ts';
import { leaseName } from './lease-name.ts';

const image = 'afloat.test/operator:1';
const pods = { apiVersion: 'v1', kind: 'Pod' };

describe('the operator as pods on a real node', { timeout: 240_000 }, () => {
  const home = `operator-${process.pid}`;
  const cloud = `${home}-cloud`;
  let cluster: KubernetesCluster;
  let objects: readonly ClusterObject[] = [];
  let hasImage = false;

  const running = async (): Promise<readonly StoredObject[]> =>
    (await cluster.list(pods, { namespace: home })).items.filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
  const isReady = (pod: StoredObject) =>
    ((pod['status'] as { conditions?: { type: string; status: string }[] })?.conditions ?? []).some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    );
  /** The pod that has the lead: its name is the beginning of who holds the lease. */
  const leader = async (): Promise<string> => {
    const ref = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: cloud, name: leaseName };
    const lease = await cluster.get(ref).catch(() => undefined);
    const { holderIdentity = '' } = (lease?.['spec'] ?? {}) as { holderIdentity?: string };
    return holderIdentity.split('_')[0] ?? '';
  };
  const logOf = async (pod: string): Promise<readonly Record<string, unknown>[]> => {
    const pieces: Buffer[] = [];
    for await (const piece of cluster.podLogs({ namespace: home, pod })) pieces.push(piece);
    const lines = Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
    return lines.map(line => JSON.parse(line));
  };
  const leads = async (but: string): Promise<string> => {
    let name = '';
    await eventually('another pod leads', async () => {
      name = await leader();
      return name !== '' && name !== but && (await running()).some(({ metadata }) => metadata.name === name);
    });
    return name;
  };

  beforeAll(async () => {
    const node = await askForNode(inject('kubernetesNode'));
    cluster = KubernetesCluster.to(await findAccess({ kubeconfig: node.kubeconfig }));
    hasImage = node.ctr !== undefined;
    if (!hasImage) return;
    await loadOperatorImage(node, image);
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: cloud } });
    // Of one namespace: the node is shared with tests that have operators of their own.
    objects = operatorObjects({ namespace: home, watch: cloud, image, pullPolicy: 'Never' });
    for (const value of objects) {
      const { apiVersion, kind, metadata } = value;
      const { name = '', namespace } = metadata;
      const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
      await cluster.patch(ref, { type: 'apply', value, fieldManager: 'test', force: true });
    }
  }, 300_000);
  afterAll(async () => {
    for (const name of [home, cloud])
      await cluster?.delete({ apiVersion: 'v1', kind: 'Namespace', name }).catch(() => undefined);
    await cluster?.close();
  });

  test('gets ready, one leads and makes plans, another takes over when it is deleted, with and without time to end', async context => {
    if (!hasImage) context.skip('no images can be brought onto this node: set AFLOAT_TEST_CTR');
    await eventually('two are ready', async () => (await running()).filter(isReady).length === 2);
    const first = await leads('');
    const record = await firstRecord(cluster, cloud, {
      serviceAccountName: 'afloat-services',
      approval: 'manual',
    });
    await cluster.create(record);
    await eventually('the leader makes a plan', async () => {
      const { items } = await cluster.list(
        { apiVersion: record.apiVersion, kind: 'LifecyclePlan' },
        { namespace: cloud },
      );
      return items.length > 0;
    });
    const log = await logOf(first);
    expect(log.map(({ msg }) => msg)).toContain('leading');
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);

    // Told to stop, it hands the lead over: the next one need not wait until the lease has run out.
    await cluster.delete({ ...pods, namespace: home, name: first });
    const second = await leads(first);
    // Hurried, it may not come to that: then the next one leads when the lease has run out.
    await cluster.delete({ ...pods, namespace: home, name: second }, { gracePeriodSeconds: 0 });
    const third = await leads(second);
    await eventually('two are ready again', async () => (await running()).filter(isReady).length === 2);
    // The lease is written before the line is: who reads the lease first may be ahead of the log.
    await eventually('the third says that it leads', async () =>
      (await logOf(third)).some(({ msg }) => msg === 'leading'),
    );
  });
});
