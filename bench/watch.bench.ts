/**
 * How long a change takes from being sent to being seen, through the product and by the least loop that can watch. Both watch the
 * same changes, so that a busy moment hits both, each in a process of its own, so that neither delays the other; so is the
 * writer. Every change must be seen by either, or the numbers mean nothing.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPrograms, missingForPrograms } from '../scripts/kubernetes/build/find-programs.ts';
import { startControlPlane } from '../scripts/kubernetes/control-plane.ts';
import type { ClusterObject } from '../src/cluster/cluster.ts';
import { findAccess } from '../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../src/cluster/kubernetes/kubernetes-cluster.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';
import { monotonicMilliseconds, type SeenChange, watched } from './watch/watched.ts';

/** Enough that no two changes of one object meet. */
const objects = 100;

/** One of the objects, as the change of that number leaves it. */
function objectAt(number: number, run: string): ClusterObject {
  const metadata = {
    name: `bench-${number % objects}`,
    namespace: watched.namespace,
    labels: { bench: 'watch' },
  };
  return { ...watched.type, metadata, data: { n: `${number}`, run } };
}

type Which = 'ours' | 'bare';

async function startWatcher(which: Which, kubeconfig: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'watch', 'watcher-program.ts');
  const child = fork(program, [which, kubeconfig], { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}

/** What a watcher saw, when it is told to stop. */
async function stopWatcher(watcher: ChildProcess): Promise<readonly SeenChange[]> {
  watcher.send('stop');
  const [seen] = (await once(watcher, 'message')) as [readonly SeenChange[]];
  return seen;
}

/** Changes at an even pace while both watch; for each change and watcher the time from sending it to seeing it. */
async function measureAt(
  { rate, seconds, kubeconfig }: { rate: number; seconds: number; kubeconfig: string },
  cluster: KubernetesCluster,
): Promise<Record<Which, number[]>> {
  const [ours, bare] = await Promise.all([
    startWatcher('ours', kubeconfig),
    startWatcher('bare', kubeconfig),
  ]);
  const sent: number[] = [];
  const writing: Promise<unknown>[] = [];
  const start = performance.now();
  const warmUp = rate; // one second that is not counted
  for (let number = 0; number < rate * seconds + warmUp; number++) {
    const due = start + (number * 1000) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    if (number >= warmUp) sent[number] = monotonicMilliseconds();
    writing.push(cluster.update(objectAt(number, `${rate}`)));
  }
  await Promise.allSettled(writing);
  await sleep(300);
  const timesOf = async (which: Which, watcher: ChildProcess) => {
    const times = (await stopWatcher(watcher)).flatMap(([number, at]) => {
      const began = sent[number];
      return began === undefined ? [] : [at - began];
    });
    if (times.length === rate * seconds) return times;
    throw new Error(`${which}: ${times.length} of ${rate * seconds} changes were seen`);
  };
  return { ours: await timesOf('ours', ours), bare: await timesOf('bare', bare) };
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
  const { kubeconfig } = plane;
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }), { connections: 64 });
  try {
    for (let number = 0; number < objects; number++) {
      await cluster.create(objectAt(number, 'none'));
    }
    for (const rate of [20, 100, 300]) {
      const times = await measureAt({ rate, seconds: size === 'full' ? 20 : 4, kubeconfig }, cluster);
      const facts = { unit: 'ms', against: 'a bare watch loop beside it, in its own process' } as const;
      for (const [name, part, goal] of [
        ['p50', 0.5, 1.2],
        ['p99', 0.99, 1.5],
      ] as const) {
        yield measured({
          ...facts,
          measure: `change to seen, ${rate} a second, ${name}`,
          value: percentile(times.ours, part),
          floor: percentile(times.bare, part),
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
