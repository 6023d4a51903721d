import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Simulation, serving } from '../contract/simulation.contract.ts';
import { templateFor } from '../contract/workload-world.contract.ts';
import { sum } from '../object/amounts.ts';
import { isActive, isReady, type Pod } from '../object/pod.ts';
import { deploymentType, replicaSetType } from '../object/workload-kinds.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { replicaSets } from '../replicaset/replica-set-controller.ts';
import { type Deployment, maxSurge, maxUnavailable, replicasOf } from './deployment.ts';
import { deployments } from './deployment-controller.ts';

/** On a busy machine. */
const lawTimeout = 120_000;

/** Something that happens; numbers choose among what is there, and how many writes of a pass come about. */
const happening = fc.oneof(
  fc.record({ what: fc.constant('pass of the Deployment' as const), of: fc.nat(9), writes: fc.nat(4) }),
  fc.record({ what: fc.constant('pass of a ReplicaSet' as const), of: fc.nat(9), writes: fc.nat(6) }),
  fc.record({ what: fc.constant('a Pod serves' as const), of: fc.nat(9), writes: fc.nat(1) }),
  fc.record({ what: fc.constant('a Pod that never served dies' as const), of: fc.nat(9), writes: fc.nat(1) }),
  fc.record({ what: fc.constant('a Pod has ended' as const), of: fc.nat(9), writes: fc.nat(1) }),
  fc.record({ what: fc.constant('another template' as const), of: fc.nat(2), writes: fc.nat(1) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const amount = fc.oneof(
  fc.nat(3),
  fc.integer({ min: 0, max: 100 }).map(part => `${part}%`),
);
const limits = fc.record({
  replicas: fc.integer({ min: 1, max: 6 }),
  maxSurge: amount,
  maxUnavailable: amount,
});

const labels = { app: 'web' };

/** A Deployment whose first template serves in full. */
function settled({
  replicas,
  ...rollingUpdate
}: {
  replicas: number;
  maxSurge: number | string;
  maxUnavailable: number | string;
}) {
  const world = new Simulation();
  world.create({
    ...deploymentType,
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate },
      template: templateFor(labels),
      progressDeadlineSeconds: 600,
    },
  });
  finish(world);
  return world;
}

function deploymentIn(world: Simulation): Deployment {
  const [deployment] = world.all<Deployment>(deploymentType);
  if (!deployment) throw new Error('the Deployment is gone');
  return deployment;
}

function happen(world: Simulation, { what, of, writes }: Happening): void {
  const sets = world.all<ReplicaSet>(replicaSetType);
  const among = <T>(items: readonly T[]) => items[of % Math.max(1, items.length)];
  const waiting = among(world.pods.filter(pod => isActive(pod) && !isReady(pod)));
  const ending = among(world.pods.filter(pod => pod.metadata.deletionTimestamp !== undefined));
  world.now += 1000;
  if (what === 'pass of the Deployment') world.pass(deployments, 'web', writes);
  if (what === 'pass of a ReplicaSet') world.pass(replicaSets, among(sets)?.metadata.name ?? '', writes);
  if (what === 'a Pod serves' && waiting) world.patch(waiting, serving(world.now));
  if (what === 'a Pod that never served dies' && waiting)
    world.patch(waiting, { status: { phase: 'Failed' } });
  if (what === 'a Pod has ended' && ending) world.end(ending);
  if (what === 'another template') {
    world.patch(deploymentIn(world), { spec: { template: templateFor(labels, {}, `app:${of}`) } });
  }
}

/** Everything goes well from now on; gives how many rounds it took. */
function finish(world: Simulation): number {
  for (let round = 1; round <= 100; round++) {
    const before = JSON.stringify([world.all(deploymentType), world.all(replicaSetType), world.pods]);
    world.pass(deployments, 'web');
    for (const { metadata } of world.all(replicaSetType)) world.pass(replicaSets, metadata.name);
    for (const pod of world.pods) {
      if (pod.metadata.deletionTimestamp !== undefined) world.end(pod);
      else if (isActive(pod) && !isReady(pod)) world.patch(pod, serving(world.now));
    }
    world.now += 1000;
    if (JSON.stringify([world.all(deploymentType), world.all(replicaSetType), world.pods]) === before)
      return round;
  }
  throw new Error('it does not come to an end');
}

function serve(pods: readonly Pod[]): number {
  return pods.filter(pod => isActive(pod) && isReady(pod)).length;
}

test(
  'a rolling update never wants more than it may, never gives up what must serve, and ends',
  () => {
    fc.assert(
      fc.property(limits, fc.array(happening, { maxLength: 80 }), (given, story) => {
        const world = settled(given);
        for (const one of story) {
          happen(world, one);
          const deployment = deploymentIn(world);
          const replicas = replicasOf(deployment);
          const wanted = sum(world.all<ReplicaSet>(replicaSetType), replicasOf);
          expect(wanted).toBeLessThanOrEqual(replicas + maxSurge(deployment));
          expect(serve(world.pods)).toBeGreaterThanOrEqual(replicas - maxUnavailable(deployment));
        }
        finish(world);
        const deployment = deploymentIn(world);
        const { image } = (deployment.spec.template.spec.containers[0] ?? {}) as { image?: string };
        const alive = world.pods.filter(isActive);
        expect(alive.map(pod => pod.spec.containers[0]?.['image'])).toEqual(
          Array(given.replicas).fill(image),
        );
        expect(deployment.status?.availableReplicas).toBe(given.replicas);
        expect(deployment.status?.conditions?.map(({ reason }) => reason).sort()).toEqual([
          'MinimumReplicasAvailable',
          'NewReplicaSetAvailable',
        ]);
      }),
      { numRuns: 150 },
    );
  },
  lawTimeout,
);

/** All ReplicaSets carry out their sizes and count their Pods. */
function carryOut(world: Simulation): void {
  for (const _ of ['written', 'counted']) {
    // Those that shrink first: a real manager works on all of them at once.
    const sets = world.all<ReplicaSet>(replicaSetType).toSorted((a, b) => replicasOf(a) - replicasOf(b));
    for (const { metadata } of sets) world.pass(replicaSets, metadata.name);
  }
}

test(
  'whatever fails, no Pod is made beyond the surge and none that must serve is given up',
  () => {
    const failing = fc.oneof(
      happening,
      fc.record({ what: fc.constant('a Pod fails' as const), of: fc.nat(9), writes: fc.nat(1) }),
    );
    fc.assert(
      fc.property(limits, fc.array(failing, { maxLength: 50 }), fc.nat(5), (given, story, writes) => {
        const world = settled(given);
        for (const one of story) {
          const serves = world.pods.filter(pod => isActive(pod) && isReady(pod));
          const failed = serves[one.of % Math.max(1, serves.length)];
          if (one.what !== 'a Pod fails') happen(world, one);
          else if (failed) world.patch(failed, { status: { phase: 'Running', conditions: [] } });
          carryOut(world);
          const before = serve(world.pods);
          world.pass(deployments, 'web', writes);
          carryOut(world);
          const deployment = deploymentIn(world);
          const replicas = replicasOf(deployment);
          expect(world.pods.filter(isActive).length).toBeLessThanOrEqual(replicas + maxSurge(deployment));
          expect(serve(world.pods)).toBeGreaterThanOrEqual(
            Math.min(before, replicas - maxUnavailable(deployment)),
          );
        }
        finish(world);
        expect(deploymentIn(world).status?.availableReplicas).toBe(given.replicas);
      }),
      { numRuns: 150 },
    );
  },
  lawTimeout,
);

test('an old Pod that fails while the new ones do not serve is kept: it may be needed to go back', () => {
  const world = settled({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
  const sizes = () => world.all<ReplicaSet>(replicaSetType).map(replicasOf);
  world.patch(deploymentIn(world), { spec: { template: templateFor(labels, {}, 'app:bad') } });
  for (const _ of Array(5)) {
    world.pass(deployments, 'web');
    carryOut(world);
  }
  expect(sizes()).toEqual([8, 5]);
  const [old] = world.pods.filter(pod => isActive(pod) && isReady(pod));
  if (old) world.patch(old, { status: { phase: 'Running', conditions: [] } });
  carryOut(world);
  world.pass(deployments, 'web');
  expect(sizes()).toEqual([8, 5]);
});
