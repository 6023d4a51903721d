import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { systemClock } from '../../cluster/clock.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { forwarderFiles } from '../forwarder/forwarder-files.ts';
import { ask, httpServer } from '../forwarder/servers.contract.ts';
import { endForwarders } from './forwarder-keeper.ts';
import { podType, type Service, serviceType } from './service-objects.ts';
import { aPod, aService, eventually, ServicesWorld, setReady } from './services-world.contract.ts';

describe.skipIf(process.platform !== 'linux')('the Services of one machine', () => {
  let world: ServicesWorld;
  beforeAll(async () => {
    world = await ServicesWorld.open();
    await world.startManager();
  });
  afterAll(() => world.close());

  async function served(name: string): Promise<{ service: Service; pod: StoredObject; address: string }> {
    const server = await httpServer((_, response) => response.end(name));
    const { cluster } = world;
    await cluster.create(aService(name, { ports: [{ port: 8080, targetPort: server.port }] }));
    const pod = await cluster.create(aPod(name, { app: name }, { nodeName: 'here' }));
    await setReady(cluster, pod, '127.0.0.1');
    const service = await eventually<Service>(
      cluster,
      serviceType,
      one => one.metadata.name === name && Boolean(one.spec.clusterIP),
    );
    return { service, pod, address: service.spec.clusterIP ?? '' };
  }

  test('a ready Pod answers at the address of its Service', async () => {
    const { address } = await served('web');
    const answer = await waitUntil('an answer', 20, () =>
      ask(8080, { host: address }).catch(() => undefined),
    );
    expect(answer.body).toBe('web');
    expect(world.troubles).toEqual([]);
  });

  test('a Pod that is to end gets nothing any more, and that is seen', async () => {
    const { pod, address } = await served('ending');
    await waitUntil('an answer', 20, () => ask(8080, { host: address }).catch(() => undefined));
    const { gate } = world.services;
    expect(gate.isOut(pod.metadata.uid)).toBe(false);
    const told = new Promise<string>(resolve => gate.onChange(resolve));
    await world.cluster.delete({ ...podType, name: 'ending', namespace: 'default' });
    expect(await told).toBe(pod.metadata.uid);
    expect(gate.isOut(pod.metadata.uid)).toBe(true);
  });

  test('requests are counted by slice', async () => {
    await waitUntil(
      'counts',
      20,
      async () => (world.services.sliceCounts('default', 'web').get('')?.requests ?? 0) > 0,
    );
  });

  test('no manager is needed to go on, and the next one takes up what is there', async () => {
    const [{ pid }] = pidsOf();
    await world.stopManager();
    const { spec } = (await world.cluster.get({
      ...serviceType,
      name: 'web',
      namespace: 'default',
    })) as Service;
    expect((await ask(8080, { host: spec.clusterIP ?? '' })).body).toBe('web');
    await world.startManager();
    expect(pidsOf()).toEqual([{ pid }]);
  });

  test('a forwarder that was killed comes again, on the same ports', async () => {
    const [{ pid }] = pidsOf();
    process.kill(pid, 'SIGKILL');
    const { spec } = (await world.cluster.get({
      ...serviceType,
      name: 'web',
      namespace: 'default',
    })) as Service;
    const answer = await waitUntil('an answer', 20, () =>
      ask(8080, { host: spec.clusterIP ?? '' }).catch(() => undefined),
    );
    expect(answer.body).toBe('web');
    expect(pidsOf()).not.toEqual([{ pid }]);
  });

  test('a broken report keeps nobody from going on: neither a manager that starts nor one that runs', async () => {
    const broken = join(world.folder, 'forwarder/reports/1.json');
    await world.stopManager();
    writeFileSync(broken, '');
    await world.startManager();
    writeFileSync(broken, '{"version":');
    await waitUntil('it is taken away', 20, async () => !existsSync(broken));
    expect(pidsOf()).toHaveLength(1);
    await world.stopManager();
    writeFileSync(broken, '');
    await endForwarders(forwarderFiles(world.folder), systemClock);
    await world.startManager();
  });

  function pidsOf(): [{ pid: number }] {
    const found = world.services.report().map(({ identity }) => ({ pid: Number.parseInt(identity, 10) }));
    expect(found).toHaveLength(1);
    return found as [{ pid: number }];
  }
});
