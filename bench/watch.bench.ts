import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { findPrograms, missingForPrograms } from '../scripts/kubernetes/build/find-programs.ts';
import { startControlPlane } from '../scripts/kubernetes/control-plane.ts';
import type { Access } from '../scripts/kubernetes/kubeconfig.ts';
import type { ClusterObject } from '../src/cluster/cluster.ts';
import { follow } from '../src/cluster/follow.ts';
import { findAccess } from '../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../src/cluster/kubernetes/kubernetes-cluster.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';

const type = { apiVersion: 'v1', kind: 'ConfigMap' };
/** Enough that no two changes of one object meet. */
const objects = 100;
const selection = { namespace: 'default', labelSelector: 'bench=watch' };

/** One of the objects, as the change of that number leaves it. */
function objectAt(number: number, run: string): ClusterObject {
  const metadata = { name: `bench-${number % objects}`, namespace: 'default', labels: { bench: 'watch' } };
  return { ...type, metadata, data: { n: `${number}`, run } };
}

/** Who is told of a change: its number, at that moment. */
type Seen = (number: number) => void;

/** The least a watch can do: read lines, parse them, look into them. */
async function bareWatch(admin: Access, from: string, seen: Seen): Promise<() => Promise<void>> {
  const client = new Client(admin.server, {
    bodyTimeout: 0,
    connect: { ca: admin.authority ?? '', cert: admin.certificate ?? '', key: admin.key ?? '' },
  });
  const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${from}&labelSelector=bench%3Dwatch`;
  const path = `/api/v1/namespaces/default/configmaps?${query}`;
  const { body } = await client.request({ method: 'GET', path });
  let rest = '';
  body.setEncoding('utf8');
  body.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) seen(Number(JSON.parse(line).object.data.n));
  });
  body.on('error', () => {}); // it is cut at the end
  return () => client.destroy();
}

/** The same through the product: port, client and follow. */
async function ourWatch(cluster: KubernetesCluster, seen: Seen): Promise<() => Promise<void>> {
  const controller = new AbortController();
  const followed = follow(cluster, type, { ...selection, signal: controller.signal });
  for (let told = await followed.next(); told.value?.type !== 'SYNCED'; ) told = await followed.next();
  const run = async () => {
    for await (const told of followed) {
      if (told.type !== 'SYNCED') seen(Number((told.object['data'] as { n: string }).n));
    }
  };
  const running = run();
  return async () => {
    controller.abort();
    await running;
  };
}

interface Latencies {
  readonly ours: number[];
  readonly bare: number[];
}

/** Changes at an even pace while both watch; for each change and watcher the time from sending it to seeing it. */
async function measureAt(
  rate: number,
  seconds: number,
  admin: Access,
  cluster: KubernetesCluster,
): Promise<Latencies> {
  const sent: number[] = [];
  const times: Latencies = { ours: [], bare: [] };
  const note = (list: number[]) => (number: number) => {
    const at = sent[number];
    if (at !== undefined) list.push(performance.now() - at);
  };
  const { resourceVersion } = await cluster.list(type, selection);
  const stopOurs = await ourWatch(cluster, note(times.ours));
  const stopBare = await bareWatch(admin, resourceVersion, note(times.bare));
  const writing: Promise<unknown>[] = [];
  const start = performance.now();
  const warmUp = rate; // one second that is not counted
  for (let number = 0; number < rate * seconds + warmUp; number++) {
    const due = start + (number * 1000) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    if (number >= warmUp) sent[number] = performance.now();
    writing.push(cluster.update(objectAt(number, `${rate}`)));
  }
  await Promise.allSettled(writing);
  await sleep(300);
  await Promise.all([stopOurs(), stopBare()]);
  if (times.ours.length !== rate * seconds)
    throw new Error(`${times.ours.length} of ${rate * seconds} changes were seen`);
  return times;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const missing = await missingForPrograms();
  if (missing !== undefined) {
    console.error(`benchmark watch is skipped: ${missing}`);
    return;
  }
  const plane = await startControlPlane({ programs: await findPrograms(line => console.error(line)) });
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: plane.kubeconfig }), {
    connections: 64,
  });
  try {
    for (let number = 0; number < objects; number++) {
      await cluster.create(objectAt(number, 'none'));
    }
    for (const rate of [20, 100, 300]) {
      const { ours, bare } = await measureAt(rate, size === 'full' ? 20 : 4, plane.admin, cluster);
      const facts = { unit: 'ms', against: 'a bare watch loop beside it' } as const;
      for (const [name, part, goal] of [
        ['p50', 0.5, 1.2],
        ['p99', 0.99, 1.5],
      ] as const) {
        yield measured({
          ...facts,
          measure: `change to seen, ${rate} a second, ${name}`,
          value: percentile(ours, part),
          floor: percentile(bare, part),
          goal,
        });
      }
    }
  } finally {
    await cluster.close();
    await plane.stop();
  }
}

export const bench: Bench = { name: 'watch', run };
