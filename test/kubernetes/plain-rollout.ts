import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startLoad } from '../../scripts/start/client-load.ts';
import type { LoadCounts } from '../../scripts/start/paced-clients.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import type { Kubectl } from './run-kubectl.ts';

/** How a plain Deployment is rolled out. */
export interface PlainWish {
  readonly name: string;
  /** Images of the program of the journeys: before, and after. */
  readonly from: string;
  readonly to: string;
  readonly replicas: number;
  /** How long a Pod sleeps before it is told to end; without it, it is told at once. */
  readonly preStopSeconds?: number;
  readonly pace: { readonly clients: number; readonly perSecond: number };
}

export interface PlainRollout {
  readonly counts: LoadCounts;
  /** From the change to the end of the last Pod of before. */
  readonly seconds: number;
}

/**
 * Rolls out a plain Deployment under clients with `kubectl set image`, as somebody without Afloat would, and tells what they lost. What it
 * made is gone afterwards.
 */
export async function rollOutPlainly(
  world: JourneyWorld,
  kubectl: Kubectl,
  wish: PlainWish,
): Promise<PlainRollout> {
  const { name, to, pace } = wish;
  mkdirSync(join(world.data.folder, name), { recursive: true }); // its rows
  for (const object of objectsOf(world, wish)) await world.cluster.create(object);
  await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=180s');
  await world.until('an answer', () => world.serving(name));
  const load = startLoad({ ...(await world.address(name)), ...pace, limitMs: 5000, mostUsers: 200 });
  try {
    await world.until('clients at work', async () => load.counts().requests > pace.perSecond);
    const before = new Set((await world.pods(name)).map(({ metadata }) => metadata.uid));
    const start = performance.now();
    await kubectl('set', 'image', `deployment/${name}`, `api=${to}`);
    await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=180s');
    await world.until('the end of the old Pods', async () =>
      (await world.pods(name)).every(({ metadata }) => !before.has(metadata.uid)),
    );
    const seconds = (performance.now() - start) / 1000;
    await load.stop();
    return { counts: load.counts(), seconds };
  } finally {
    await load.stop();
    await kubectl('delete', 'deployment,service', name, '--wait=false');
  }
}

function objectsOf({ namespace, data, place }: JourneyWorld, wish: PlainWish) {
  const { name, from, replicas, preStopSeconds } = wish;
  const labels = { app: name };
  const env = { SERVICE: name, VERSION: '1', DATA: data.folder, HEAD: '1', DATABASE: '', PORT: '8080' };
  const preStop = { exec: { command: ['sleep', `${preStopSeconds}`] } };
  const container = {
    ...{ name: 'api', image: from, args: ['api'] },
    env: Object.entries({ ...env, SLICE: 'plain' }).map(([key, value]) => ({ name: key, value })),
    ports: [{ name: 'api', containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/healthz', port: 'api' }, periodSeconds: 1 },
    ...(preStopSeconds === undefined ? {} : { lifecycle: { preStop } }),
    ...place.container,
  };
  return [
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace } },
      spec: {
        replicas,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { ...place.podSpec, containers: [container] } },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
      spec: { selector: labels, ports: [{ name: 'api', port: 8080, targetPort: 'api' }] },
    },
  ];
}
