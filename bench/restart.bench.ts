/**
 * How long a manager that died in the middle of a flow takes to go on, by the number of resources in the store: clouds that have been there
 * for long, with their revisions, ended flows and phases, plans, Secrets, ConfigMaps and Pods. One flow is in mid-walk: its check is a
 * Job, which comes to its end while no manager is there.
 *
 * The engine is dropped and the store closed; then both are begun anew, in a process that has been warmed up by what came before:
 *
 * - ready: the engine is started on an open store, until it knows everything that is there;
 * - resumed: from the same start until the next phase of the flow is there; until then the phase that was under way was claimed anew,
 *   its Job looked at, its end told, and the flow moved on. Every other object has its pass meanwhile, too;
 * - with the store: the same, with opening the store before it, which is what a process that starts waits for.
 *
 * Medians of several restarts. The limit is one second for 10,000 resources, and grows with their number beyond that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../src/cluster/cluster.ts';
import { EmbeddedCluster } from '../src/cluster/embedded/embedded-cluster.ts';
import { type Engine, startEngine } from '../src/controller/engine.ts';
import { typeOfPhase } from '../src/controller/our-objects.ts';
import { barePorts } from './engine/bare-ports.ts';
import { namespaceObject, recordObject, walker, walkerPackages } from './engine/bench-clouds.ts';
import { fillWithOldClouds } from './engine/old-clouds.ts';
import { withStoreFolder } from './engine/store-folder.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';

const jobType = { apiVersion: 'batch/v1', kind: 'Job' };
const walkOf = (turn: number) => `walk-${turn}`;

interface Restart {
  readonly opened: number;
  readonly ready: number;
  readonly resumed: number;
}

/** Fills a store, and lets an engine bring a flow for each restart to its middle. */
async function prepare(folder: string, resources: number, turns: number): Promise<number> {
  const store = await EmbeddedCluster.open(folder);
  try {
    const made = await fillWithOldClouds(store, resources);
    for (let turn = 0; turn < turns; turn++) {
      await store.create(namespaceObject(walkOf(turn)));
      await store.create(recordObject(walkOf(turn), [walker.service], { approval: 'automatic' }));
    }
    const { stop, engine } = await start(store);
    while ((await store.list(jobType)).items.length < turns) await sleep(20);
    await engine.idle();
    stop.abort();
    await engine.ended;
    return made;
  } finally {
    await store.close();
  }
}

async function start(cluster: Cluster): Promise<{ readonly stop: AbortController; readonly engine: Engine }> {
  const stop = new AbortController();
  const engine = await startEngine({ cluster, ports: barePorts(walkerPackages), signal: stop.signal });
  return { stop, engine };
}

/** One death: the Job of a flow ends, and a manager comes. */
async function restart(folder: string, turn: number): Promise<Restart> {
  await endJob(folder, walkOf(turn));
  const began = performance.now();
  const store = await EmbeddedCluster.open(folder);
  try {
    const opened = performance.now();
    const watching = new AbortController();
    const resumed = nextPhase(store, walkOf(turn), watching.signal);
    const { stop, engine } = await start(store);
    const ready = performance.now();
    const resumedAt = await resumed;
    watching.abort();
    await engine.idle();
    stop.abort();
    await engine.ended;
    return { opened: opened - began, ready: ready - opened, resumed: resumedAt - opened };
  } finally {
    await store.close();
  }
}

async function endJob(folder: string, namespace: string): Promise<void> {
  const store = await EmbeddedCluster.open(folder);
  const [job] = (await store.list(jobType, { namespace })).items;
  if (!job) throw new Error(`there is no Job in ${namespace}`);
  const time = new Date().toISOString().replace(/\.\d+/, '');
  const condition = { status: 'True', lastTransitionTime: time, lastProbeTime: time };
  const conditions = ['SuccessCriteriaMet', 'Complete'].map(type => ({ type, ...condition }));
  const status = { succeeded: 1, startTime: time, completionTime: time, conditions };
  const ref = { ...jobType, namespace, name: job.metadata.name };
  await store.patch(ref, { type: 'merge', value: { status } }, { subresource: 'status' });
  await store.close();
}

/** When the phase after the check is there. */
async function nextPhase(cluster: Cluster, namespace: string, signal: AbortSignal): Promise<number> {
  for await (const { type } of cluster.watch(typeOfPhase('install'), { namespace, signal }))
    if (type === 'ADDED') return performance.now();
  return Number.NaN;
}

function measuresAt(resources: number, restarts: readonly Restart[]): Measure[] {
  const of = (pick: (one: Restart) => number) => median(restarts.map(pick));
  const count = resources.toLocaleString('en');
  const facts = { unit: 'ms', against: 'the limit', floor: Math.max(1000, resources / 10), goal: 1 };
  return [
    measured({ ...facts, measure: `${count} resources: ready`, value: of(({ ready }) => ready) }),
    measured({ ...facts, measure: `${count} resources: resumed`, value: of(({ resumed }) => resumed) }),
    measured({
      ...facts,
      measure: `${count} resources: resumed, with the store`,
      value: of(({ opened, resumed }) => opened + resumed),
    }),
  ];
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const [sizes, counted] = size === 'full' ? [[1000, 10_000, 100_000], 5] : [[1000, 10_000], 3];
  for (const resources of sizes) {
    yield* await withStoreFolder(async folder => {
      const made = await prepare(folder, resources, counted + 1);
      if (Math.abs(made - resources) > resources * 0.15) throw new Error(`${made} instead of ${resources}`);
      const restarts: Restart[] = [];
      // The first one warms up.
      for (let turn = 0; turn <= counted; turn++) restarts.push(await restart(folder, turn));
      return measuresAt(resources, restarts.slice(1));
    });
  }
}

export const bench: Bench = { name: 'restart', run };
