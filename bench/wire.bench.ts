/**
 * What the embedded cluster answers over the wire, against a real API server, with the same client: creates, patches of the status, applies,
 * lists and watchers. Each server is in processes of its own, and both keep what they acknowledge through a loss of power. They take
 * turns, so that a busy moment hits both.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findPrograms, missingForPrograms } from '../scripts/kubernetes/build/find-programs.ts';
import { startControlPlane } from '../scripts/kubernetes/control-plane.ts';
import type { ClusterObject } from '../src/cluster/cluster.ts';
import { findAccess } from '../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../src/cluster/kubernetes/kubernetes-cluster.ts';
import { inTurns } from './engine/store-folder.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';

const namespace = 'bench';
const connectionCounts = [1, 10, 50] as const;
/** Three times as good is what is wanted. */
const goal = 1 / 3;
const watchers = 100;

const sizes = {
  quick: { seconds: 0.4, turns: 2, listed: 1000, changes: 20 },
  full: { seconds: 3, turns: 5, listed: 10_000, changes: 200 },
} as const;

const mapType = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
const deploymentType = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;
const labels = { app: 'bench' };

/** Something that is asked again and again; the number tells calls apart. */
type Ask = (cluster: KubernetesCluster, number: number) => Promise<unknown>;

function mapAt(name: string, value: number): ClusterObject {
  return { ...mapType, metadata: { name, namespace, labels }, data: { value: `${value}` } };
}

const asks: readonly (readonly [what: string, ask: Ask])[] = [
  ['creates', (cluster, number) => cluster.create(mapAt(`made-${number}`, number))],
  [
    'status patches',
    (cluster, number) =>
      cluster.patch(
        { ...deploymentType, namespace, name: `patched-${number % 100}` },
        { type: 'merge', value: { status: { observedGeneration: number } } },
        { subresource: 'status' },
      ),
  ],
  [
    'applies',
    (cluster, number) =>
      cluster.patch(
        { ...mapType, namespace, name: `applied-${number % 100}` },
        { type: 'apply', value: mapAt(`applied-${number % 100}`, number), fieldManager: 'bench' },
      ),
  ],
];

/** One of the two servers. Numbers go on, so that no two calls make the same object. */
interface Subject {
  readonly kubeconfig: string;
  number: number;
}

async function withClient<T>(
  { kubeconfig }: Subject,
  connections: number,
  work: (cluster: KubernetesCluster) => Promise<T>,
): Promise<T> {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }), { connections });
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}

/** What the asks work on. */
async function fill(subject: Subject, listed: number): Promise<void> {
  await withClient(subject, 20, async cluster => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'none' }] } };
    await inTurns(Array(100).keys(), 20, number =>
      cluster.create({
        ...deploymentType,
        metadata: { name: `patched-${number}`, namespace },
        spec: { replicas: 0, selector: { matchLabels: labels }, template },
      }),
    );
    const secret = { apiVersion: 'v1', kind: 'Secret', stringData: { word: 'x'.repeat(200) } } as const;
    await inTurns(Array(listed).keys(), 20, number =>
      cluster.create({ ...secret, metadata: { name: `listed-${number}`, namespace } }),
    );
  });
}

/** Calls a second, of so many callers with a connection each. */
function rateOf(subject: Subject, ask: Ask, connections: number, seconds: number): Promise<number> {
  return withClient(subject, connections, async cluster => {
    // Connections are opened and programs warm before the clock runs: it is the answers that are compared.
    const each = Array.from({ length: connections });
    for (let round = 0; round < 3; round++) await Promise.all(each.map(() => ask(cluster, subject.number++)));
    const start = performance.now();
    let calls = 0;
    const caller = async () => {
      for (; performance.now() - start < seconds * 1000; calls++) await ask(cluster, subject.number++);
    };
    await Promise.all(each.map(caller));
    return calls / ((performance.now() - start) / 1000);
  });
}

/** Milliseconds for one list of everything. */
function listTime(subject: Subject, listed: number): Promise<number> {
  return withClient(subject, 1, async cluster => {
    const start = performance.now();
    const { items } = await cluster.list({ apiVersion: 'v1', kind: 'Secret' }, { namespace });
    if (items.length < listed) throw new Error(`listed ${items.length} of ${listed}`);
    return performance.now() - start;
  });
}

/** Events a second that all watchers together see of some changes. */
function watchRate(subject: Subject, changes: number, connections: number): Promise<number> {
  return withClient(subject, connections, async cluster => {
    const name = `watched-${subject.number++}`;
    const made = await cluster.create(mapAt(name, 0));
    const { resourceVersion } = made.metadata;
    const stop = new AbortController();
    const options = {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      resourceVersion,
      signal: stop.signal,
    };
    // The first change is seen by all before the clock runs: opening connections is not what is compared.
    let opened = 0;
    const watcher = async () => {
      let seen = 0;
      for await (const { type } of cluster.watch(mapType, options)) {
        if (type !== 'MODIFIED') continue;
        if (seen++ === 0) opened++;
        if (seen > changes) return;
      }
    };
    const change = (value: number) =>
      cluster.patch(
        { ...mapType, namespace, name },
        { type: 'merge', value: { data: { value: `${value}` } } },
      );
    const watching = Promise.all(Array.from({ length: watchers }, watcher));
    await change(1);
    while (opened < watchers) await Promise.race([setTimeout(1), watching]);
    const start = performance.now();
    for (let value = 2; value < changes + 2; value++) await change(value);
    await watching;
    stop.abort();
    return (watchers * changes) / ((performance.now() - start) / 1000);
  });
}

/** The middle of some turns of each of the two, one after the other. */
async function inTurn(
  turns: number,
  [ours, theirs]: readonly [Subject, Subject],
  work: (subject: Subject) => Promise<number>,
): Promise<{ value: number; floor: number }> {
  const seen = { value: [] as number[], floor: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    seen.value.push(await work(ours));
    seen.floor.push(await work(theirs));
  }
  return { value: median(seen.value), floor: median(seen.floor) };
}

async function* measureBoth(size: BenchSize, subjects: readonly [Subject, Subject]): AsyncGenerator<Measure> {
  const { seconds, turns, listed, changes } = sizes[size];
  const against = 'a real API server with the same client';
  const rates = { unit: 'calls/s', against, goal, more: 'is better' } as const;
  for (const subject of subjects) await fill(subject, listed);
  for (const connections of connectionCounts) {
    for (const [what, ask] of asks) {
      const both = await inTurn(turns, subjects, subject => rateOf(subject, ask, connections, seconds));
      yield measured({ ...rates, ...both, measure: `${what}, ${connections} connections` });
    }
    const both = await inTurn(turns, subjects, subject => watchRate(subject, changes, connections));
    const unit = 'events/s';
    yield measured({ ...rates, ...both, unit, measure: `${watchers} watchers, ${connections} connections` });
  }
  const both = await inTurn(turns, subjects, subject => listTime(subject, listed));
  yield measured({ ...both, measure: `a list of ${listed}`, unit: 'ms', against, goal });
}

async function startOurs(folder: string): Promise<{ child: ChildProcess; subject: Subject }> {
  const program = join(import.meta.dirname, 'wire', 'server-program.ts');
  const child = fork(program, [folder], { execArgv: ['--import', 'tsx'] });
  const [{ kubeconfig }] = (await once(child, 'message')) as [{ kubeconfig: string }];
  return { child, subject: { kubeconfig, number: 0 } };
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const missing = await missingForPrograms();
  if (missing !== undefined) {
    console.error(`benchmark wire is skipped: ${missing}`);
    return;
  }
  const programs = await findPrograms(line => console.error(line));
  const plane = await startControlPlane({ programs, durable: true });
  const folder = join(plane.folder, 'embedded');
  const { child, subject } = await startOurs(folder);
  try {
    yield* measureBoth(size, [subject, { kubeconfig: plane.kubeconfig, number: 0 }]);
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    await plane.stop();
  }
}

export const bench: Bench = { name: 'wire', run };
