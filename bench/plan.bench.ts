import { openstackDeployment, type RecordSpec } from '../src/api/openstack-deployment.ts';
import type { PackageLifecycle } from '../src/api/package-lifecycle.ts';
import { packageLifecycle } from '../src/api/package-lifecycle.ts';
import { applyDefaults } from '../src/api/schema/defaults.ts';
import { digestJson } from '../src/base/digest.ts';
import type { ServiceTarget } from '../src/package/package.ts';
import { orderSteps, type StepGraph } from '../src/plan/order.ts';
import { makePlan, type PlanInput } from '../src/plan/plan.ts';
import type { ResolvedRecord } from '../src/record/record.ts';
import { type Bench, type BenchSize, type Measure, measured, medianTimes } from './measure.ts';

/** Each service requires up to three that come before it: a graph like that of a cloud, only bigger. */
function requirementsOf(count: number): number[][] {
  // A fixed sequence of numbers that look like chance, so that every run measures the same graph.
  let state = 12_345;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  return Array.from({ length: count }, (_, index) => {
    const wanted = index === 0 ? 0 : next(4);
    return [...new Set(Array.from({ length: wanted }, () => next(index)))];
  });
}

/** Kahn's algorithm and nothing else: the least that any ordering must do. */
function bareKahn(waitsFor: readonly (readonly number[])[]): number[] {
  const next: number[][] = waitsFor.map(() => []);
  const open = waitsFor.map((list, step) => {
    for (const before of list) next[before]?.push(step);
    return list.length;
  });
  const queue: number[] = [];
  for (let step = 0; step < open.length; step++) if (open[step] === 0) queue.push(step);
  for (const step of queue) {
    for (const follower of next[step] ?? []) {
      const left = (open[follower] ?? 0) - 1;
      open[follower] = left;
      if (left === 0) queue.push(follower);
    }
  }
  return queue;
}

/** A fresh cloud of that many services: every one of them becomes a step with reasons, impact and a way back. */
function cloudOf(requirements: readonly (readonly number[])[]): PlanInput {
  const digest = digestJson('package');
  const targets = requirements.map((needs, index): ServiceTarget => {
    const service = `service-${index}`;
    const written = {
      service,
      version: '1.0.0',
      requires: needs.map(other => ({ service: `service-${other}` })),
    };
    const lifecycle = applyDefaults(packageLifecycle.json, written) as PackageLifecycle;
    const own = { component: service, version: '1.0.0', packageDigest: digest, lifecycle };
    const part = { ...own, inventory: [], needs: [] };
    return { service, version: '1.0.0', packageDigest: digest, lifecycle, parts: [part] };
  });
  const source = { type: 'local', location: '{name}/{version}' } as const;
  const written = { source, services: targets.map(target => ({ name: target.service, version: '1.0.0' })) };
  const spec = applyDefaults(openstackDeployment.spec.json, written) as RecordSpec;
  const services = spec.services.map((service, index) => ({ ...service, index, source }));
  const record: ResolvedRecord = {
    name: 'bench',
    namespace: 'bench',
    generation: 0,
    digest,
    spec,
    services,
    file: undefined,
    locate: () => undefined,
  };
  return { record, targets, observed: { services: [], contents: [] } };
}

/** How the time grows with the size, over all sizes: the slope of the best line through their logarithms. 1 is linear. */
function exponentOf(points: readonly { count: number; time: number }[]): number {
  const logs = points.map(({ count, time }) => ({ x: Math.log(count), y: Math.log(time) }));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(logs.map(point => point.x)), mean(logs.map(point => point.y))];
  const over = logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const counts = size === 'full' ? [100, 1000, 10_000, 100_000] : [100, 1000, 10_000];
  const orders: { count: number; time: number }[] = [];
  const plans: { count: number; time: number }[] = [];
  for (const count of counts) {
    const waitsFor = requirementsOf(count);
    const graph: StepGraph = { waitsFor, stage: waitsFor.map((_, index) => index % 3) };
    const input = cloudOf(waitsFor);
    // Small sizes need more turns until the machine has compiled what they run.
    const runs = Math.min(200, Math.max(5, Math.ceil(20_000 / count)));
    const order = await medianTimes(
      runs,
      () => orderSteps(graph, 16),
      () => bareKahn(waitsFor),
    );
    const made = makePlan(input);
    const plan = await medianTimes(
      runs,
      () => makePlan(input),
      () => JSON.parse(JSON.stringify(made)),
    );
    orders.push({ count, time: order.ours });
    plans.push({ count, time: plan.ours });
    yield measured({
      measure: `order ${count} services`,
      value: order.ours,
      unit: 'ms',
      against: 'bare Kahn',
      floor: order.floor,
      goal: 10,
    });
    // A whole plan is mostly words: the least it can cost is writing and reading them once.
    yield measured({
      measure: `plan ${count} services, all new`,
      value: plan.ours,
      unit: 'ms',
      against: 'a JSON copy of that plan',
      floor: plan.floor,
      goal: 10,
    });
  }
  const linear = { unit: 'exponent', against: 'linear', floor: 1, goal: 1.1 } as const;
  yield measured({ measure: 'order, growth', value: exponentOf(orders), ...linear });
  yield measured({ measure: 'plan, growth', value: exponentOf(plans), ...linear });
}

export const bench: Bench = { name: 'plan', run };
