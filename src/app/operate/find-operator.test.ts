import { expect, it } from 'vitest';
import { systemClock } from '../../cluster/clock.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { clusterForEachTest } from '../../cluster/embedded/store-folder.contract.ts';
import { leaseName } from '../operator/lease-name.ts';
import { findOperator } from './find-operator.ts';

const now = Date.UTC(2026, 2, 14, 2);
const clock = { ...systemClock, wall: () => now };
let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

async function lease(name: string, secondsAgo: number, holderIdentity = 'one'): Promise<void> {
  await cluster.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'default' },
    spec: {
      holderIdentity,
      leaseDurationSeconds: 15,
      renewTime: new Date(now - secondsAgo * 1000).toISOString().replace('Z', '000Z'),
    },
  });
}

it('is none where no lease was ever held', async () => {
  await lease('of-somebody-else', 1);
  expect(await findOperator(cluster, clock)).toEqual({ state: 'none' });
});

it('leads while its lease is renewed', async () => {
  await lease(leaseName, 10);
  expect(await findOperator(cluster, clock)).toEqual({ state: 'leads' });
});

it('is gone when it was not, and since when', async () => {
  await lease(leaseName, 3600);
  const found = await findOperator(cluster, clock);
  expect(found).toMatchObject({ state: 'gone', lastSeenAt: expect.stringContaining('2026-03-14T01:00') });
});

it('is gone when it gave the lease back', async () => {
  await lease(leaseName, 1, '');
  expect(await findOperator(cluster, clock)).toMatchObject({ state: 'gone' });
});
