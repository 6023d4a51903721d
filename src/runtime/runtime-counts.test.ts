import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { claimedBy } from './forwarder/claim.ts';
import { forwarderFiles } from './forwarder/forwarder-files.ts';
import { pidOf } from './forwarder/forwarder-identity.ts';
import { ask } from './forwarder/servers.contract.ts';
import { imagesLabel } from './image/config-map-images.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { sliceLabel, weightsAnnotation } from './services/table/weights.ts';
import { takeDownRuntime } from './take-down.ts';

/** Answers with its slice; `/slow` stays open until the test lets go. */
const server = `require('http').createServer((q, r) => {
  if (q.url !== '/slow') return r.end(process.env.SLICE);
  fetch(process.env.GATE).then(() => r.end('slow'));
}).listen(5000, process.env.POD_IP)`;

const service = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'web' };

describe.skipIf(process.platform !== 'linux')('what slices get is seen from outside', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let runtime: Runtime;
  let address: string;
  let green: StoredObject;
  let open: () => void;
  const stop = new AbortController();
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  const gate = createServer(async (_, response) => {
    await opened;
    response.end();
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'afloat-counts-'));
    cluster = await EmbeddedCluster.open(join(folder, 'store'));
    const state = join(folder, 'state');
    runtime = await startRuntime({ cluster, folder: state, signal: stop.signal, isolation: 'loopback' });
    await new Promise<void>(resolve => void gate.listen(0, '127.0.0.1', resolve));
    await cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'images', namespace: 'default', labels: { [imagesLabel]: 'true' } },
      data: { all: JSON.stringify({ node: { command: [process.execPath, '-e', server] } }) },
    });
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'web',
        namespace: 'default',
        annotations: { [weightsAnnotation]: 'blue=50,green=50' },
      },
      spec: { selector: { app: 'web' }, ports: [{ port: 8080, targetPort: 5000 }] },
    });
    await makePod('blue');
    green = await makePod('green');
    address = await waitUntil('an address', 20, async () => {
      const { spec } = (await cluster.get(service)) as StoredObject & { spec: { clusterIP?: string } };
      return spec.clusterIP;
    });
    for (const slice of ['blue', 'green'])
      await waitUntil(`an answer of ${slice}`, 30, async () => (await get('/')) === slice);
  }, 90_000);

  afterAll(async () => {
    open();
    gate.close();
    stop.abort();
    await runtime.ended;
    await cluster.close();
    await takeDownRuntime(join(folder, 'state'));
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  function makePod(slice: string): Promise<StoredObject> {
    const { port } = gate.address() as { port: number };
    const env = [
      { name: 'SLICE', value: slice },
      { name: 'GATE', value: `http://127.0.0.1:${port}` },
    ];
    const readinessProbe = { tcpSocket: { port: 5000 }, periodSeconds: 1 };
    return cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: slice, namespace: 'default', labels: { app: 'web', [sliceLabel]: slice } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'main', image: 'node', env, readinessProbe }],
      },
    });
  }

  async function get(path: string): Promise<string | undefined> {
    return ask(8080, { host: address, path }).then(
      ({ body }) => body,
      () => undefined,
    );
  }

  const slices = () => runtime.sliceCounts('default', 'web');

  test('a slice without weight gets nothing new, and is out when its last request is done', async () => {
    for (let count = 0; count < 10; count++) await get('/');
    const slow = [get('/slow'), get('/slow')];
    await waitUntil('one in flight each', 20, async () =>
      ['blue', 'green'].every(name => slices().get(name)?.inFlight === 1),
    );
    expect(slices().get('green')).toMatchObject({ isOut: false });
    const annotations = { [weightsAnnotation]: 'blue=100,green=0' };
    await cluster.patch(service, { type: 'merge', value: { metadata: { annotations } } });
    await waitUntil('all go to blue', 20, async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => get('/')));
      return answers.every(answer => answer === 'blue');
    });
    expect(slices().get('green')).toMatchObject({ inFlight: 1, isOut: false });
    expect(runtime.isOut(green.metadata.uid)).toBe(false);
    open();
    expect(await Promise.all(slow)).toEqual(['slow', 'slow']);
    await waitUntil('green is out', 20, async () => slices().get('green')?.isOut);
    expect(runtime.isOut(green.metadata.uid)).toBe(true);
    expect(slices().get('blue')).toMatchObject({ isOut: false });
    expect(slices().get('green')?.requests).toBeGreaterThanOrEqual(6);
  }, 60_000);

  test('counts do not fall when the forwarder is killed', async () => {
    const before = (await waitUntil('all are counted', 20, async () => {
      const counted = slices().get('blue')?.requests ?? 0;
      return counted >= 12 ? counted : undefined;
    })) as number;
    const files = forwarderFiles(join(folder, 'state'));
    const killed = claimedBy(files) ?? '';
    process.kill(pidOf(killed), 'SIGKILL');
    await waitUntil('another one answers', 30, async () => {
      expect(slices().get('blue')?.requests).toBeGreaterThanOrEqual(before);
      return (await get('/')) === 'blue' && claimedBy(files) !== killed;
    });
    await waitUntil('it counts on', 20, async () => (slices().get('blue')?.requests ?? 0) > before);
    expect(slices().get('green')?.requests).toBeGreaterThanOrEqual(6);
  }, 60_000);
});
