/**
 * How fast flows are walked when 2,000 of them wait at once, what they cost in memory, and how many writes they need.
 *
 * Clouds of 20 services each are put down as records that approve their own plans, and the engine is started on them: it plans,
 * begins all flows, walks each through its five moves and writes its revision. The package of a service is one ConfigMap: no move
 * has anything to wait for, so what is measured is the engine and the store, in one process. Every flow must end
 * `operational`, or the numbers mean nothing.
 *
 * - Rate, from the start of the engine to the last end, planning included. The floor puts the same objects into a store of the
 *   same kind by the least writes such walks need, flow by flow, sixteen flows at once: nobody reads, decides, renders or tells.
 * - Writes for each phase: everything of the kinds of phases and flows that goes through the port, refused ones included. The least
 *   is: a phase is created, claimed and ended; its flow tells of it once. What a flow needs once (to be created, and its last word
 *   before traffic moves) is in both.
 * - All other writes, by flow: the least is the Secret with its manifests, the ConfigMap, the revision, and an event for each
 *   move and for the end. What is more is told of the plan and of the record.
 * - Memory: what the heap holds when all flows are there, store and engine together, against a limit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { phaseKinds } from '../src/api/phase-kinds.ts';
import type { JsonObject } from '../src/base/json.ts';
import type { Cluster, StoredObject } from '../src/cluster/cluster.ts';
import { EmbeddedCluster } from '../src/cluster/embedded/embedded-cluster.ts';
import { startEngine } from '../src/controller/engine.ts';
import { type FlowObject, flowType, phaseTypes, revisionType } from '../src/controller/our-objects.ts';
import { barePorts } from './engine/bare-ports.ts';
import { namespaceObject, recordObject, stillPackages } from './engine/bench-clouds.ts';
import { CountingCluster } from './engine/counting-cluster.ts';
import { heapMegabytes, inTurns, withStoreFolder } from './engine/store-folder.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';

const services = Array.from({ length: 20 }, (_, index) => `service-${index}`);
const moves = 5;

/** What one run of all flows gave. */
interface Walked {
  readonly milliseconds: number;
  readonly megabytes: number;
  /** Writes of the kinds of flows and phases. */
  readonly ownWrites: number;
  readonly otherWrites: number;
  /** What the walks left behind, flow by flow. */
  readonly left: readonly StoredObject[][];
}

async function fill(cluster: Cluster, clouds: number): Promise<readonly string[]> {
  const names = Array.from({ length: clouds }, (_, index) => `cloud-${index}`);
  await inTurns(names, 10, async name => {
    await cluster.create(namespaceObject(name));
    await cluster.create(recordObject(name, services, { approval: 'automatic', maxParallel: 64 }));
  });
  return names;
}

/** Sees flows come and end. */
async function countFlows(cluster: Cluster, signal: AbortSignal, seen: { came: number; ended: number }) {
  const over = new Set<string>();
  for await (const { type, object } of cluster.watch(flowType, { signal })) {
    if (type === 'ADDED') seen.came += 1;
    const { status, metadata } = object as FlowObject;
    if (type !== 'MODIFIED' || status?.end === undefined || over.has(metadata.uid)) continue;
    if (status.end !== 'operational')
      throw new Error(`${metadata.name} ended ${status.end}: ${status.because}`);
    over.add(metadata.uid);
    seen.ended += 1;
  }
}

function walkAll(clouds: number): Promise<Walked> {
  return withStoreFolder(async folder => {
    const store = await EmbeddedCluster.open(folder);
    const cluster = new CountingCluster(store);
    const namespaces = await fill(store, clouds);
    const flows = clouds * services.length;
    const before = heapMegabytes();
    const stop = new AbortController();
    const seen = { came: 0, ended: 0 };
    const counting = countFlows(store, stop.signal, seen);
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await Promise.race([sleep(5), counting]);
    };
    try {
      const start = performance.now();
      const engine = await startEngine({ cluster, ports: barePorts(stillPackages), signal: stop.signal });
      await until(() => seen.came === flows);
      const pause = performance.now();
      const megabytes = heapMegabytes() - before;
      const paused = performance.now() - pause;
      await until(() => seen.ended === flows);
      const milliseconds = performance.now() - start - paused;
      await engine.idle();
      const left = await leftBehind(store, namespaces);
      stop.abort();
      await Promise.all([engine.ended, counting]);
      return { milliseconds, megabytes, ...split(cluster.counts), left };
    } finally {
      stop.abort();
      await store.close();
    }
  });
}

function split(counts: ReadonlyMap<string, number>): Pick<Walked, 'ownWrites' | 'otherWrites'> {
  const own = new Set<string>([flowType.kind, ...phaseKinds.map(({ kind }) => kind)]);
  let [ownWrites, otherWrites] = [0, 0];
  for (const [key, count] of counts) {
    if (own.has(key.split(' ')[0] ?? '')) ownWrites += count;
    else otherWrites += count;
  }
  return { ownWrites, otherWrites };
}

/** Every flow with its phases, its revision, its Secret and its ConfigMap, in the order they can be made. */
async function leftBehind(cluster: Cluster, namespaces: readonly string[]): Promise<StoredObject[][]> {
  const groups: StoredObject[][] = [];
  for (const namespace of namespaces) {
    const all = new Map<string, StoredObject[]>();
    const types = [flowType, ...phaseTypes, revisionType];
    const kept = [
      { apiVersion: 'v1', kind: 'Secret' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
    ];
    for (const type of [...types, ...kept]) {
      for (const object of (await cluster.list(type, { namespace })).items) {
        const service = object.metadata.labels?.['openstacklcm.airshipit.org/service'];
        if (service !== undefined) all.set(service, [...(all.get(service) ?? []), object]);
      }
    }
    groups.push(...all.values());
  }
  return groups;
}

/** The least writes that leave the same objects behind. */
function writeLeast({ left }: Walked, clouds: number): Promise<number> {
  return withStoreFolder(async folder => {
    const store = await EmbeddedCluster.open(folder);
    try {
      await fill(store, clouds);
      const start = performance.now();
      await inTurns(left, 16, objects => writeFlow(store, objects));
      return performance.now() - start;
    } finally {
      await store.close();
    }
  });
}

async function writeFlow(cluster: Cluster, objects: readonly StoredObject[]): Promise<void> {
  const [flow, ...others] = objects;
  if (!flow) return;
  await cluster.create(asNew(flow));
  for (const object of others) {
    await cluster.create(asNew(object));
    if (!phaseTypes.some(({ kind }) => kind === object.kind)) continue;
    await tell(cluster, object, 'claimed');
    await tell(cluster, object, 'ended');
    await tell(cluster, flow, object.metadata.name);
  }
  await tell(cluster, flow, 'ended');
}

/** Writes the status an object had at the end; with a reason of its own, since nothing is written where nothing differs. */
async function tell(cluster: Cluster, object: StoredObject, reason: string): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const ref = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
  const value = { status: { ...(object['status'] as JsonObject), reason } };
  await cluster.patch(ref, { type: 'merge', value }, { subresource: 'status' });
}

/** The object as its writer first had it. */
function asNew({ metadata, status: _status, ...rest }: StoredObject) {
  const { name, namespace = '', labels = {} } = metadata;
  return { ...rest, metadata: { name, namespace, labels } };
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const clouds = size === 'full' ? 100 : 5;
  const flows = clouds * services.length;
  const walked = await walkAll(clouds);
  const floor = await writeLeast(walked, clouds);
  yield measured({
    measure: `${flows} flows at once, flows a second`,
    value: (flows * 1000) / walked.milliseconds,
    floor: (flows * 1000) / floor,
    unit: '1/s',
    against: 'the least writes that leave the same',
    goal: 10,
    more: 'is better',
  });
  yield measured({
    measure: 'writes of phases and flows, for each phase',
    value: walked.ownWrites / (flows * moves),
    floor: (3 * moves + moves + 2) / moves,
    unit: 'writes',
    against: 'the least: created, claimed, ended, told',
    goal: 1.1,
  });
  yield measured({
    measure: 'all other writes, for each flow',
    value: walked.otherWrites / flows,
    floor: 3 + moves + 1,
    unit: 'writes',
    against: 'the least: kept, applied, recorded, and its events',
    goal: 3,
  });
  yield measured({
    measure: `memory when ${flows} flows wait`,
    value: walked.megabytes,
    floor: flows * 0.1,
    unit: 'MB',
    against: 'the limit',
    goal: 1,
  });
}

export const bench: Bench = { name: 'flows', run };
