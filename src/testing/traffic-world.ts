/** The embedded store, runtime and forwarder, with Pods on loopback addresses, as a world for the suite of routers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import type { Cluster, ClusterObject } from '../cluster/cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { startRuntime } from '../runtime/runtime.ts';
import { takeDownRuntime } from '../runtime/take-down.ts';
import type { TrafficWorld } from '../traffic/traffic.contract.ts';
import type { Route, SliceMeter, Traffic } from '../traffic/traffic.ts';

const namespace = 'default';
const serviceType = { apiVersion: 'v1', kind: 'Service' };
const sliceLabel = 'openstacklcm.airshipit.org/slice';

/** Answers every request with the name of its slice when it has all of it, and with the head at once. */
export const sliceProgram = `
require('node:http').createServer((request, response) => {
  response.writeHead(200).flushHeaders();
  request.resume().on('end', () => response.end(process.env.SLICE));
}).listen(8080, process.env.POD_IP);
`;

/** Ready for whoever asks by GET, as probes do, and well for nobody else. */
const failingProgram = `
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(request.method === 'GET' ? 200 : 500).end());
}).listen(8080, process.env.POD_IP);
`;

function imagesOf(image: string, program: string): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `images-${image}`, namespace, labels: { 'openstacklcm.airshipit.org/images': 'true' } },
    data: { all: JSON.stringify({ [image]: { command: [process.execPath, '-e', program] } }) },
  };
}

/** One Pod of a slice, of the program that answers with its name. */
export function sliceDeployment(slice: string, namespace: string, run: JsonObject): ClusterObject {
  const labels = { app: 'web', [sliceLabel]: slice };
  const readinessProbe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 };
  const container = { name: 'web', ...run, env: [{ name: 'SLICE', value: slice }], readinessProbe };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${slice}`, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** The Service of all slices, as a package says it. */
export function sliceRoute(
  { namespace, service: name }: Route,
  ports: readonly number[],
  labels: Record<string, string> = {},
): ClusterObject {
  const named = ports.map(port => ({ name: `p${port}`, port, targetPort: 8080 }));
  return {
    ...serviceType,
    metadata: { name, namespace, labels },
    spec: { selector: { app: 'web' }, ports: named },
  };
}

/** Where clients find a route. */
export async function sliceAddress(cluster: Cluster, { namespace, service: name }: Route, port: number) {
  const { clusterIP } = (await cluster.get({ ...serviceType, namespace, name }))['spec'] as {
    clusterIP?: string;
  };
  return clusterIP ? { host: clusterIP, port } : undefined;
}

/** Two slices that serve, in a store and a runtime of their own. */
export interface EmbeddedSlices {
  readonly cluster: EmbeddedCluster;
  readonly meter: SliceMeter;
  /** A folder that is gone when they are. */
  readonly folder: string;
  /** What makes an image known that is ready and answers clients with 500. */
  imageThatFails(name: string): ClusterObject;
  close(): Promise<void>;
}

/** Starts them, without waiting until they serve. */
export async function startSlices(): Promise<EmbeddedSlices> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-traffic-'));
  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const state = join(folder, 'state');
  const runtime = await startRuntime({ cluster, folder: state, signal: stop.signal, isolation: 'loopback' });
  for (const object of [
    imagesOf('web', sliceProgram),
    ...['blue', 'green'].map(one => sliceDeployment(one, namespace, { image: 'web' })),
  ])
    await cluster.create(object);
  return {
    cluster,
    meter: { counts: runtime.sliceCounts, podIsOut: runtime.isOut },
    folder,
    imageThatFails: name => imagesOf(name, failingProgram),
    async close() {
      stop.abort();
      await runtime.ended;
      await cluster.close();
      await takeDownRuntime(state);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What all worlds on this machine name alike: routes one after the other, and their Services. */
export function sliceRoutes(): Pick<TrafficWorld, 'newRoute' | 'object'> {
  let routes = 0;
  return {
    newRoute() {
      routes += 1;
      return { namespace, service: `web-${routes}` };
    },
    object: (route, ports) => sliceRoute(route, ports, { 'openstacklcm.airshipit.org/service': 'web' }),
  };
}

/** Opens it with a router of Services, which is given the meter of the runtime where it `counts`. */
export async function embeddedTrafficWorld(
  openTraffic: (options: { cluster: EmbeddedCluster; meter?: SliceMeter }) => Traffic,
  { counts }: { readonly counts: boolean },
): Promise<TrafficWorld> {
  const { cluster, meter, close } = await startSlices();
  return {
    traffic: openTraffic({ cluster, ...(counts ? { meter } : {}) }),
    counts,
    ...sliceRoutes(),
    address: (route, port) => sliceAddress(cluster, route, port),
    async makeForeign(route) {
      await cluster.create(sliceRoute(route, [8000]));
    },
    close,
  };
}
