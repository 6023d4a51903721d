/**
 * What it costs to have processes run by the runtime instead of starting them oneself: until 100 Pods run, and until 1,000 Jobs are
 * complete, against a bare spawn of the same programs. A program is one that does a little work, as every real one does when it
 * starts; ours are Pods with all that belongs to them: an address, a folder, a shim, logs, a durable object and its status.
 *
 * The bare side is the least that can be done: spawn and wait; of those that end, as many at once as ours has passes for.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterObject, ObjectType, StoredObject } from '../src/cluster/cluster.ts';
import { EmbeddedCluster } from '../src/cluster/embedded/embedded-cluster.ts';
import { follow } from '../src/cluster/follow.ts';
import { startRuntime } from '../src/runtime/runtime.ts';
import { takeDownRuntime } from '../src/runtime/take-down.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';

const namespace = 'default';
/** As many bare processes are under way at once. */
const atOnce = 16;

/** What a small program does before it is of use: Node's own start, about 40 ms of work. */
const work = ['node', '-e', '0'];
/** Says in a file that it is up, and stays: a Pod that only counts as running is not compared with one that does. */
const server = (ledger: string) => [
  'node',
  '-e',
  `require('node:fs').appendFileSync(${JSON.stringify(ledger)}, '.'); setInterval(() => {}, 1e6)`,
];

const images = (ledger: string): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'images', namespace, labels: { 'openstacklcm.airshipit.org/images': 'true' } },
  data: { bench: JSON.stringify({ work: { command: work }, server: { command: server(ledger) } }) },
});

const podSpec = (image: string) => ({
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image }],
});

const aPod = (number: number): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${number}`, namespace },
  spec: podSpec('server'),
});

const aJob = (number: number): ClusterObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: `job-${number}`, namespace },
  spec: { template: { spec: podSpec('work') } },
});

/** A runtime in a folder of its own, for as long as the work takes. */
async function withRuntime<T>(doing: (cluster: EmbeddedCluster, ledger: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-bench-runtime-'));
  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const runtime = await startRuntime({ cluster, folder, signal: stop.signal, isolation: 'loopback' });
  try {
    const ledger = join(folder, 'ledger');
    await cluster.create(images(ledger));
    return await doing(cluster, ledger);
  } finally {
    stop.abort();
    await runtime.ended;
    await cluster.close();
    await takeDownRuntime(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the first create until every object is as it shall be. */
async function timeUntilAll(
  cluster: EmbeddedCluster,
  objects: readonly ClusterObject[],
  type: ObjectType,
  isDone: (object: StoredObject) => boolean,
): Promise<number> {
  const began = performance.now();
  const stop = new AbortController();
  const done = new Set<string>();
  const seen = (async () => {
    for await (const told of follow(cluster, type, { namespace, signal: stop.signal })) {
      if (told.type === 'SYNCED' || !isDone(told.object)) continue;
      done.add(told.object.metadata.name);
      if (done.size === objects.length) stop.abort();
    }
  })();
  await Promise.all(objects.map(object => cluster.create(object)));
  await seen;
  return performance.now() - began;
}

const isRunning = (object: StoredObject) => (object['status'] as { phase?: string })?.phase === 'Running';
const isComplete = (object: StoredObject) => (object['status'] as { succeeded?: number })?.succeeded === 1;

/** No more of the environment than ours gets: what this program was started with would slow every child down. */
const bareOptions = { stdio: 'ignore', env: { PATH: process.env['PATH'] } } as const;

/** Returns when that many programs have said that they are up. */
async function allUp(ledger: string, count: number): Promise<void> {
  while ((statSync(ledger, { throwIfNoEntry: false })?.size ?? 0) < count) await sleep(5);
}

/** Milliseconds until that many Pods run, and their programs are up. */
function ourServers(count: number): Promise<number> {
  return withRuntime(async (cluster, ledger) => {
    const began = performance.now();
    const pods = Array.from({ length: count }, (_, index) => aPod(index));
    await timeUntilAll(cluster, pods, { apiVersion: 'v1', kind: 'Pod' }, isRunning);
    await allUp(ledger, count);
    return performance.now() - began;
  });
}

/** Milliseconds until that many processes are up; they are ended afterwards. */
async function bareServers(count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-bench-bare-'));
  const ledger = join(folder, 'ledger');
  const [program = '', ...words] = server(ledger);
  const began = performance.now();
  const children = Array.from({ length: count }, () => spawn(program, words, bareOptions));
  await allUp(ledger, count);
  const took = performance.now() - began;
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
  return took;
}

/** Milliseconds until that many processes have run to their end. */
async function bareWork(count: number): Promise<number> {
  const began = performance.now();
  await inLanes(count, () => once(spawn(work[0] ?? '', work.slice(1), bareOptions), 'exit'));
  return performance.now() - began;
}

/** Does something so many times, so many at once. */
async function inLanes<T>(count: number, doing: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let begun = 0;
  const lane = async () => {
    while (begun < count) {
      begun += 1;
      results.push(await doing());
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return results;
}

interface Compared {
  readonly measure: string;
  readonly ours: () => Promise<number>;
  readonly bare: () => Promise<number>;
}

async function compare({ measure, ours, bare }: Compared, turns: number): Promise<Measure> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    times.bare.push(await bare());
    times.ours.push(await ours());
  }
  return measured({
    measure,
    value: median(times.ours),
    unit: 'ms',
    against: 'bare spawn of the same programs',
    floor: median(times.bare),
    goal: 2,
  });
}

export const bench: Bench = {
  name: 'runtime',
  async *run(size: BenchSize) {
    const [pods, jobs, turns] = size === 'full' ? [100, 1000, 3] : [20, 50, 1];
    const allJobs = Array.from({ length: jobs }, (_, index) => aJob(index));
    yield await compare(
      {
        measure: `${pods} Pods until all run`,
        ours: () => ourServers(pods),
        bare: () => bareServers(pods),
      },
      turns,
    );
    yield await compare(
      {
        measure: `${jobs} Jobs until all are complete`,
        ours: () =>
          withRuntime(cluster =>
            timeUntilAll(cluster, allJobs, { apiVersion: 'batch/v1', kind: 'Job' }, isComplete),
          ),
        bare: () => bareWork(jobs),
      },
      turns,
    );
  },
};
