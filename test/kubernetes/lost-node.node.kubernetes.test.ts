import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster, StoredObject } from '../../src/cluster/cluster.ts';
import { isReason } from '../../src/cluster/cluster-error.ts';
import { type JourneyWorld, storyMs } from '../journeys/engine/journey-world.ts';
import { openNodeWorld } from './node-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openNodeWorld();
}, storyMs);
afterAll(() => world.close(), storyMs);

const record = (version: string) => ({ services: [{ name: 'shop', version }] });
const testsOf = (version: string) =>
  world.data
    .lines('shop')
    .filter(line => line.version === version && line.task === 'test')
    .map(({ state }) => state);

test(
  'a test that failed while nothing was heard of its node is run once more, and the upgrade goes on',
  async () => {
    for (const version of ['1.0.0', '1.1.0']) world.aPackage('shop', version, { replicas: 2, head: '1' });
    await world.apply(record('1.0.0'));
    await world.untilFlowEnds('shop', 'operational');
    const served = new Set((await world.pods('shop')).map(({ metadata }) => metadata.uid));
    const load = await world.load('shop', { clients: 4, perSecond: 20, limitMs: 20_000 });
    world.data.setFaults('shop', '1.1.0', 'hang:test');
    await world.apply(record('1.1.0'));
    await world.until('the test', async () => testsOf('1.1.0').includes('began'));

    const tested = (await world.pods('shop')).filter(({ metadata }) => !served.has(metadata.uid));
    expect(tested).toHaveLength(2);
    for (const pod of tested) await tellNodeNotReady(world.cluster, pod);
    await world.until('the end of its first run', async () => {
      // Its kubelet is well, and says so again every ten seconds.
      for (const pod of tested) await setNotReady(world.cluster, pod);
      if (await isRefused('shop-preview-green')) world.data.setFaults('shop', '1.1.0');
      return testsOf('1.1.0').includes('failed');
    });

    await world.untilFlowEnds('shop', 'operational', 120);
    await load.stop();
    expect(testsOf('1.1.0')).toEqual(['began', 'failed', 'began', 'done']);
    expect(load.lastFailure).toBeUndefined();
  },
  storyMs,
);

/** What the cluster does to a Pod whose node it has not heard of for a while: it counts as not ready, whatever its program does. */
async function setNotReady(cluster: Cluster, { apiVersion, kind, metadata }: StoredObject): Promise<void> {
  const { name, namespace = '' } = metadata;
  const pod = await cluster.get({ apiVersion, kind, name, namespace });
  const status = pod['status'] as { conditions: { type: string; status: string }[] };
  const conditions = status.conditions.map(one => (one.type === 'Ready' ? { ...one, status: 'False' } : one));
  try {
    await cluster.updateStatus({ ...pod, status: { ...status, conditions } });
  } catch (error) {
    if (!isReason(error, 'Conflict')) throw error; // its kubelet wrote meanwhile; it is done again
  }
}

/** And the note that it leaves. */
async function tellNodeNotReady(
  cluster: Cluster,
  { apiVersion, kind, metadata }: StoredObject,
): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  const now = new Date().toISOString();
  await cluster.create({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { generateName: `${name}.`, namespace } },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    ...{ type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' },
    ...{ source: { component: 'node-controller' }, firstTimestamp: now, lastTimestamp: now, count: 1 },
  });
}

/** Whether the node has heard that nobody is ready behind a Service. */
async function isRefused(service: string): Promise<boolean> {
  const { address, port } = await world.address(service);
  const socket = createConnection({ host: address, port });
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
