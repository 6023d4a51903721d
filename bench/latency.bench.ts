/**
 * How long the engine takes from a change to what it does about it, against the least loop that can do the same on the same kind of
 * store. Two changes, half of all each, both a person's word on a plan:
 *
 * - a plan comes with its approval: the first action is that its flow (Oslc) is created;
 * - a plan that runs, with a step left to begin, is paused: the status says `Paused`.
 *
 * Either is one write that follows one watch event. The bare loop watches the same plans and makes the same write, of the same
 * object, without an informer, a queue or a decision. Times are taken by a watcher beside each: from just before the change is sent to
 * when the write is seen. The engine does all else that follows from such a change meanwhile, as it always does: it tells in the
 * plan, in the flow and in the record. The new flow waits for its turn behind one that waits for a person.
 *
 * Each of the two has a store and clouds of its own; they take turns of two seconds, so that a busy moment hits both. Every change
 * must be answered by either, or the numbers mean nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, ClusterObject, ObjectRef } from '../src/cluster/cluster.ts';
import { EmbeddedCluster } from '../src/cluster/embedded/embedded-cluster.ts';
import { startEngine } from '../src/controller/engine.ts';
import { type FlowObject, flowType, type PlanObject, planType } from '../src/controller/our-objects.ts';
import { indexName } from '../src/controller/store/package-index.ts';
import { barePlanLoop } from './engine/bare-plan-loop.ts';
import { barePorts } from './engine/bare-ports.ts';
import {
  approvedPlan,
  askingStep,
  namespaceObject,
  recordObject,
  stillPackages,
} from './engine/bench-clouds.ts';
import { inTurns, withStoreFolder } from './engine/store-folder.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';

/** Enough that two changes of one cloud seldom meet. */
const clouds = 50;
const turnSeconds = 2;
/** So many turns are run before any counts, until the machine has compiled what they run: the engine is more than a loop. */
const warmUps = 3;
/** One at a time: the second is what a pause holds back. */
const steps = ['keystone', 'glance'].map(askingStep);

/** Milliseconds from change to answer. */
interface Times {
  readonly action: number[];
  readonly status: number[];
}

/** One of the two, with what it was told to do and when. */
class Subject {
  readonly times: Times = { action: [], status: [] };
  readonly #cluster: Cluster;
  readonly #sent = new Map<string, number>();
  /** Plans of this turn whose flow was seen, and that nobody has paused yet. */
  #running: ObjectRef[] = [];
  #open = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Sees what was written, for as long as the signal lets it. */
  watch(signal: AbortSignal): Promise<unknown> {
    return Promise.all([this.#watchFlows(signal), this.#watchPlans(signal)]);
  }

  /** Changes at an even pace; returns when each was answered, and takes away what they made. */
  async turn(rate: number, prefix: string): Promise<void> {
    const start = performance.now();
    const plans: ObjectRef[] = [];
    const writing: Promise<unknown>[] = [];
    for (let number = 0; number < rate * turnSeconds; number++) {
      const due = start + (number * 1000) / rate;
      if (due > performance.now()) await sleep(due - performance.now());
      if (number % 2 === 0) {
        const plan = planAt(number, `${prefix}-${number}`);
        plans.push(refOf(plan));
        this.#send(`action ${plan.metadata.name}`);
        writing.push(this.#cluster.create(plan));
        continue;
      }
      // Only a plan that runs is paused, so that either change has an answer of its own.
      const ref = this.#running.shift();
      if (!ref) continue;
      this.#send(`status ${ref.name}`);
      writing.push(this.#cluster.patch(ref, { type: 'merge', value: { spec: { paused: true } } }));
    }
    await Promise.all(writing);
    const giveUpAt = performance.now() + 30_000;
    while (this.#open > 0 && performance.now() < giveUpAt) await sleep(2);
    if (this.#open > 0) throw new Error(`not answered: ${[...this.#sent.keys()].join(', ')}`);
    this.#running = [];
    await this.#tidyUp(plans);
  }

  #send(key: string): void {
    this.#open += 1;
    this.#sent.set(key, performance.now());
  }

  #answered(what: keyof Times, plan: string): void {
    const key = `${what} ${plan}`;
    const at = this.#sent.get(key);
    if (at === undefined || !this.#sent.delete(key)) return;
    this.#open -= 1;
    this.times[what].push(performance.now() - at);
  }

  async #watchFlows(signal: AbortSignal): Promise<void> {
    for await (const { type, object } of this.#cluster.watch(flowType, { signal })) {
      if (type !== 'ADDED') continue;
      const { metadata, spec } = object as FlowObject;
      const { plan = firstPlan } = spec.planned ?? {};
      if (plan === firstPlan) continue;
      this.#answered('action', plan);
      this.#running.push({ ...planType, name: plan, namespace: metadata.namespace ?? '' });
    }
  }

  async #watchPlans(signal: AbortSignal): Promise<void> {
    for await (const { type, object } of this.#cluster.watch(planType, { signal })) {
      const { status, metadata } = object as PlanObject;
      if (type === 'MODIFIED' && status?.state === 'Paused') this.#answered('status', metadata.name);
    }
  }

  async #tidyUp(plans: readonly ObjectRef[]): Promise<void> {
    await inTurns(plans, 10, ref => this.#cluster.delete(ref));
    const { items } = await this.#cluster.list(flowType);
    const made = items.filter(flow => (flow as FlowObject).spec.planned?.plan !== firstPlan);
    await inTurns(made, 10, flow => this.#cluster.delete(refOf(flow)));
  }
}

const firstPlan = 'first';

function planAt(number: number, name: string): ClusterObject {
  return approvedPlan(`cloud-${(number / 2) % clouds}`, name, ...steps);
}

function refOf({ apiVersion, kind, metadata }: ClusterObject): ObjectRef {
  return { apiVersion, kind, name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
}

/** Clouds, each with a flow that waits for a person. */
async function fill(cluster: Cluster): Promise<void> {
  const names = Array.from({ length: clouds }, (_, index) => `cloud-${index}`);
  await inTurns(names, 10, async name => {
    await cluster.create(namespaceObject(name));
    // A cloud that runs has an index of its packages.
    await cluster.create({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: indexName, namespace: name },
    });
    await cluster.create(recordObject(name, [], { maxParallel: 1 }));
    await cluster.create(approvedPlan(name, firstPlan, ...steps));
  });
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  for (const rate of [20, 100, 300]) {
    const { ours, bare } = await measureAt(rate, size === 'full' ? 10 : 3);
    for (const [what, word] of [
      ['action', 'first action'],
      ['status', 'status'],
    ] as const)
      for (const [name, part, goal] of [
        ['p50', 0.5, 1.3],
        ['p99', 0.99, 1.5],
      ] as const)
        yield measured({
          measure: `change to ${word}, ${rate} a second, ${name}`,
          value: percentile(ours[what], part),
          floor: percentile(bare[what], part),
          unit: 'ms',
          against: 'a bare watch and write loop',
          goal,
        });
  }
}

async function measureAt(rate: number, turns: number): Promise<{ ours: Times; bare: Times }> {
  return withStoreFolder(ourFolder =>
    withStoreFolder(async bareFolder => {
      const [ourStore, bareStore] = [
        await EmbeddedCluster.open(ourFolder),
        await EmbeddedCluster.open(bareFolder),
      ];
      const stop = new AbortController();
      const { signal } = stop;
      const [ours, bare] = [new Subject(ourStore), new Subject(bareStore)];
      try {
        await Promise.all([fill(ourStore), fill(bareStore)]);
        const engine = await startEngine({ cluster: ourStore, ports: barePorts(stillPackages), signal });
        await engine.idle();
        const watching = [ours.watch(signal), bare.watch(signal), barePlanLoop(bareStore, signal)];
        for (let turn = 0; turn < turns + warmUps; turn++) {
          await ours.turn(rate, `t${turn}`);
          await engine.idle();
          await bare.turn(rate, `t${turn}`);
          if (turn === warmUps - 1) for (const { times } of [ours, bare]) forget(times);
        }
        stop.abort();
        await Promise.all([...watching, engine.ended]);
        return { ours: ours.times, bare: bare.times };
      } finally {
        stop.abort();
        await Promise.all([ourStore.close(), bareStore.close()]);
      }
    }),
  );
}

function forget({ action, status }: Times): void {
  action.length = 0;
  status.length = 0;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const bench: Bench = { name: 'latency', run };
