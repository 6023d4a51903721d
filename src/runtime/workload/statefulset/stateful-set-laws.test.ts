import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Simulation, serving } from '../contract/simulation.contract.ts';
import { templateFor } from '../contract/workload-world.contract.ts';
import { isReady, type Pod } from '../object/pod.ts';
import { revisionType, statefulSetType } from '../object/workload-kinds.ts';
import type { StatefulSet } from './stateful-set.ts';
import { statefulSets } from './stateful-set-controller.ts';

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pass' as const), of: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('a Pod serves' as const), of: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('a Pod has ended' as const), of: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('another template' as const), of: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('another size' as const), of: fc.nat(4) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const labels = { app: 'peers' };

function setIn(world: Simulation): StatefulSet {
  const [set] = world.all<StatefulSet>(statefulSetType);
  if (!set) throw new Error('the StatefulSet is gone');
  return set;
}

function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function happen(world: Simulation, { what, of }: Happening): void {
  const among = (pods: readonly Pod[]) => pods[of % Math.max(1, pods.length)];
  const waiting = among(world.pods.filter(pod => !isReady(pod) && !isLeaving(pod)));
  const leaving = among(world.pods.filter(isLeaving));
  world.now += 1000;
  if (what === 'pass') world.pass(statefulSets, 'peers', of);
  if (what === 'a Pod serves' && waiting) world.patch(waiting, serving(world.now));
  if (what === 'a Pod has ended' && leaving) world.end(leaving);
  if (what === 'another size') world.patch(setIn(world), { spec: { replicas: of } });
  if (what === 'another template') {
    world.patch(setIn(world), { spec: { template: templateFor(labels, {}, `app:${of}`) } });
  }
}

test('in order means: never are two Pods missed at once, whatever is asked for, and all is as asked in the end', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 100 }), story => {
      const world = new Simulation();
      const spec = { replicas: 3, selector: { matchLabels: labels }, template: templateFor(labels) };
      world.create({ ...statefulSetType, metadata: { name: 'peers' }, spec });
      for (const one of story) {
        happen(world, one);
        expect(world.pods.filter(pod => !isReady(pod) || isLeaving(pod)).length).toBeLessThanOrEqual(1);
      }
      for (let round = 0; round < 60; round++) {
        world.pass(statefulSets, 'peers');
        for (const pod of world.pods) {
          if (isLeaving(pod)) world.end(pod);
          else if (!isReady(pod)) world.patch(pod, serving(world.now));
        }
        world.now += 1000;
      }
      const set = setIn(world);
      const [container] = set.spec.template.spec.containers;
      const size = set.spec.replicas ?? 1;
      expect(world.pods.map(({ metadata }) => metadata.name).sort()).toEqual(
        Array.from({ length: size }, (_, number) => `peers-${number}`),
      );
      for (const pod of world.pods) expect(pod.spec.containers[0]?.['image']).toBe(container?.['image']);
      expect(set.status?.currentRevision).toBe(set.status?.updateRevision);
      const newest = world
        .all(revisionType)
        .toSorted((a, b) => Number(b['revision']) - Number(a['revision']))[0];
      expect(newest?.metadata.name).toBe(set.status?.updateRevision);
    }),
    { numRuns: 150 },
  );
}, 120_000);
