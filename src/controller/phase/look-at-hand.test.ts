import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { findObject } from '../../cluster/find-object.ts';
import { openDrivers } from '../../driver/open-drivers.ts';
import { done, type Outcome, type PhaseOutcome, type PhasePorts } from '../../phase/phase-run.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { openServiceTraffic } from '../../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import { FencedCluster } from '../runtime/fenced-cluster.ts';
import { lookAtHand } from './look-at-hand.ts';
import { workTypes } from './work-types.ts';

const namespace = 'default';
const map = { apiVersion: 'v1', kind: 'ConfigMap' };
const waits: Outcome = { kind: 'wait', reason: 'RollingOut', message: 'Waits.' };

let folder: string;
let cluster: EmbeddedCluster;
let reconciling: Reconciling;
let ending: AbortController;
let asked: number;

/** Counts what it is asked for. */
class AskedCluster extends FencedCluster {
  override get(...words: Parameters<FencedCluster['get']>) {
    asked++;
    return super.get(...words);
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-at-hand-'));
  cluster = await EmbeddedCluster.open(folder);
  ending = new AbortController();
  asked = 0;
  reconciling = new Reconciling(cluster, { signal: ending.signal });
  for (const type of workTypes) reconciling.informer(type);
  await cluster.create({ ...map, metadata: { name: 'there', namespace } });
  await reconciling.start();
});
afterEach(async () => {
  ending.abort();
  await reconciling.ended();
  await cluster.close();
  rmSync(folder, { recursive: true });
});

/** One pass that does this by what is at hand, and comes to that. */
function look(outcome: Outcome, act: (ports: PhasePorts) => Promise<unknown>) {
  const world = {
    reconciling,
    drivers: (of: PhasePorts['cluster']) => openDrivers({ cluster: of, logs: { tail: async () => '' } }),
    traffic: (of: PhasePorts['cluster']) => openServiceTraffic({ cluster: of }),
  };
  const own = new AskedCluster(cluster, async () => true);
  const ports: PhasePorts = {
    ...{ cluster: own, drivers: world.drivers(own), traffic: world.traffic(own), data: () => undefined },
    ...{ prepareImages: async () => [], warmUp: async () => true, answers: async () => true },
  };
  const notes = { progress: [], backups: [], schemas: [], losses: [] };
  return lookAtHand(world, ports, async (atHand): Promise<PhaseOutcome> => {
    await act(atHand);
    return { outcome, notes };
  });
}

const find = (ports: PhasePorts) => findObject(ports.cluster, { ...map, namespace, name: 'there' });
const write = (ports: PhasePorts) => ports.cluster.create({ ...map, metadata: { name: 'new', namespace } });

it('a pass that only waits is told of, and the cluster is not asked', async () => {
  let found: unknown;
  const seen = await look(waits, async ports => {
    found = await find(ports);
  });
  expect(seen?.outcome).toEqual(waits);
  expect(found).toMatchObject({ metadata: { name: 'there' } });
  expect(asked).toBe(0);
});

it.each([
  ['is done', done],
  ['has failed', { kind: 'failed', reason: 'Broken', message: 'No.' } as const],
])('a pass that says something %s is left to the cluster itself', async (_, outcome) => {
  expect(await look(outcome, find)).toBeUndefined();
});

it.each([
  ['write', write],
  ['write, whoever takes the refusal', (ports: PhasePorts) => write(ports).catch(() => undefined)],
  [
    'write to a router beside the cluster, whoever takes the refusal',
    ({ traffic }: PhasePorts) =>
      traffic
        .setWeights({ namespace, service: 'web', router: 'haproxy' }, { blue: 100 })
        .catch(() => undefined),
  ],
  ['ask a slice to warm up', (ports: PhasePorts) => ports.warmUp('http://127.0.0.1:1/')],
])('a pass that would %s does nothing, and is left to the cluster itself', async (_, act) => {
  expect(await look(waits, act)).toBeUndefined();
  expect(await findObject(cluster, { ...map, namespace, name: 'new' })).toBeUndefined();
});

it('a pass that cannot go on is left to the cluster itself', async () => {
  const fails = () => Promise.reject(new ClusterError('Forbidden', 'no'));
  expect(await look(waits, fails)).toBeUndefined();
});
