/**
 * What it costs to have processes run by the runtime instead of starting them oneself: until 100 Pods run, and until 1,000 Jobs are
 * complete, against a bare spawn of the same programs. A program is one that does a little work, as every real one does when it
 * starts; ours are Pods with all that belongs to them: an address, a folder, a shim, logs, a durable object and its status.
 *
 * The bare side starts as many at once as ours has passes for, and is otherwise the least that can be done: spawn, wait.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const server = ['node', '-e', "process.stdout.write('up'); setInterval(() => {}, 1e6)"];

const images: ClusterObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'images', namespace, labels: { 'openstacklcm.airshipit.org/images': 'true' } },
  data: { bench: JSON.stringify({ work: { command: work }, server: { command: server } }) },
};

const podSpec = (image: string) => ({
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image, env: [{ name: 'PATH', value: process.env['PATH'] ?? '' }] }],
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
async function withRuntime<T>(doing: (cluster: EmbeddedCluster) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-bench-runtime-'));
  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const runtime = await startRuntime({ cluster, folder, signal: stop.signal, isolation: 'loopback' });
  try {
    await cluster.create(images);
    return await doing(cluster);
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

/** Milliseconds until that many processes have said that they are up; they are ended afterwards. */
async function bareServers(count: number): Promise<number> {
  const began = performance.now();
  const children = await inLanes(count, async () => {
    const child = spawn(server[0] ?? '', server.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    return child;
  });
  const took = performance.now() - began;
  for (const child of children) child.kill('SIGKILL');
  return took;
}

/** Milliseconds until that many processes have run to their end. */
async function bareWork(count: number): Promise<number> {
  const began = performance.now();
  await inLanes(count, () => once(spawn(work[0] ?? '', work.slice(1), { stdio: 'ignore' }), 'exit'));
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
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
    yield await compare(
      {
        measure: `${pods} Pods until all run`,
        ours: () =>
          withRuntime(cluster =>
            timeUntilAll(cluster, numbers(pods).map(aPod), { apiVersion: 'v1', kind: 'Pod' }, isRunning),
          ),
        bare: () => bareServers(pods),
      },
      turns,
    );
    yield await compare(
      {
        measure: `${jobs} Jobs until all are complete`,
        ours: () =>
          withRuntime(cluster =>
            timeUntilAll(
              cluster,
              numbers(jobs).map(aJob),
              { apiVersion: 'batch/v1', kind: 'Job' },
              isComplete,
            ),
          ),
        bare: () => bareWork(jobs),
      },
      turns,
    );
  },
};
