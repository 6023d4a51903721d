/** Programs that know nothing of each other: both listen on every address, both find their file where the manifest mounts it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { imagesLabel } from './image/config-map-images.ts';
import { whyNoNamespaces } from './isolation/namespaces/probe-namespaces.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { takeDownRuntime } from './take-down.ts';

const server = `
const { readFileSync } = require('node:fs');
const { hostname } = require('node:os');
require('node:http')
  .createServer((_, response) => response.end(hostname() + ' ' + readFileSync('/etc/app/app.conf', 'utf8')))
  .listen(5000, '0.0.0.0');`;

const podSpec = {
  containers: [
    {
      name: 'app',
      image: 'app',
      ports: [{ containerPort: 5000 }],
      readinessProbe: { httpGet: { path: '/', port: 5000 }, periodSeconds: 1 },
      volumeMounts: [{ name: 'etc', mountPath: '/etc/app' }],
    },
  ],
  volumes: [{ name: 'etc', configMap: { name: 'app' } }],
};

const missing = await whyNoNamespaces();
if (missing !== undefined && process.env['CI'] === undefined) {
  process.stderr.write(`skipped: two replicas on one port: ${missing}; run the tests as root\n`);
}

describe.skipIf(missing !== undefined && process.env['CI'] === undefined)('two replicas on one port', () => {
  const stop = new AbortController();
  let folder: string;
  let cluster: EmbeddedCluster;
  let runtime: Runtime;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'afloat-side-by-side-'));
    cluster = await EmbeddedCluster.open(join(folder, 'store'));
    const state = join(folder, 'state');
    runtime = await startRuntime({ cluster, folder: state, signal: stop.signal, isolation: 'namespaces' });
    const place = (name: string) => ({ name, namespace: 'default' });
    const command = [process.execPath, '-e', server];
    await cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...place('images'), labels: { [imagesLabel]: 'true' } },
      data: { all: JSON.stringify({ app: { command } }) },
    });
    await cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: place('app'),
      data: { 'app.conf': 'region = north' },
    });
    await cluster.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: place('app'),
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'app' } },
        template: { metadata: { labels: { app: 'app' } }, spec: podSpec },
      },
    });
  });

  afterAll(async () => {
    stop.abort();
    await runtime.ended;
    await cluster.close();
    await takeDownRuntime(join(folder, 'state'));
    await rm(folder, { recursive: true, force: true });
  });

  test('run side by side, each with its own address, both with their file', async () => {
    const pods = await waitUntil('two ready Pods', 30, async () => {
      const { items } = await cluster.list(
        { apiVersion: 'v1', kind: 'Pod' },
        { namespace: 'default', labelSelector: 'app=app' },
      );
      const ready = items.filter(isReady);
      return ready.length === 2 && ready;
    });
    const answers = await Promise.all(
      pods.map(async pod => {
        const { podIP } = pod['status'] as { podIP: string };
        return (await fetch(`http://${podIP}:5000/`)).text();
      }),
    );
    expect(answers.toSorted()).toEqual(pods.map(pod => `${pod.metadata.name} region = north`).toSorted());
    const addresses = new Set(pods.map(pod => (pod['status'] as { podIP: string }).podIP));
    expect(addresses.size).toBe(2);
  });
});

function isReady(pod: StoredObject): boolean {
  const { conditions = [] } = pod['status'] as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
