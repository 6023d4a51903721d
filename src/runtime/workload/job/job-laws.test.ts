import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Simulation } from '../contract/simulation.contract.ts';
import { templateFor } from '../contract/workload-world.contract.ts';
import { findCondition, isTrue } from '../object/conditions.ts';
import { isActive, isFinished, type Pod, phaseOf } from '../object/pod.ts';
import { timestamp } from '../object/timestamps.ts';
import { jobType } from '../object/workload-kinds.ts';
import type { Job } from './job.ts';
import { jobs } from './job-controller.ts';

/** On a busy machine. */
const lawTimeout = 120_000;

const happening = fc.oneof(
  fc.record({ what: fc.constant('pass' as const), of: fc.nat(9), writes: fc.nat(6) }),
  fc.record({ what: fc.constant('a Pod succeeds' as const), of: fc.nat(9), writes: fc.nat(1) }),
  fc.record({ what: fc.constant('a Pod fails' as const), of: fc.nat(9), writes: fc.nat(1) }),
  fc.record({
    what: fc.constant('a Pod is removed after it was counted' as const),
    of: fc.nat(9),
    writes: fc.nat(1),
  }),
  fc.record({ what: fc.constant('a while passes' as const), of: fc.nat(9), writes: fc.nat(1) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const specs = fc.record({
  parallelism: fc.integer({ min: 1, max: 4 }),
  completions: fc.integer({ min: 1, max: 6 }),
  completionMode: fc.constantFrom('NonIndexed', 'Indexed'),
});

function jobIn(world: Simulation): Job {
  const [job] = world.all<Job>(jobType);
  if (!job) throw new Error('the Job is gone');
  return job;
}

/** What really happened, by the uids of Pods. */
class Truth {
  readonly succeeded = new Set<string>();
  readonly failed = new Set<string>();

  end(world: Simulation, pod: Pod, phase: 'Succeeded' | 'Failed'): void {
    (phase === 'Succeeded' ? this.succeeded : this.failed).add(pod.metadata.uid);
    const terminated = { exitCode: phase === 'Succeeded' ? 0 : 1, finishedAt: timestamp(world.now) };
    world.patch(pod, { status: { phase, containerStatuses: [{ name: 'app', state: { terminated } }] } });
  }
}

function happen(world: Simulation, truth: Truth, { what, of, writes }: Happening): void {
  const among = <T>(items: readonly T[]) => items[of % Math.max(1, items.length)];
  const atWork = among(world.pods.filter(isActive));
  const counted = among(
    world.pods.filter(pod => isFinished(pod) && (pod.metadata.finalizers ?? []).length === 0),
  );
  if (what === 'pass') world.pass(jobs, 'work', writes);
  if (what === 'a Pod succeeds' && atWork) truth.end(world, atWork, 'Succeeded');
  if (what === 'a Pod fails' && atWork) truth.end(world, atWork, 'Failed');
  if (what === 'a Pod is removed after it was counted' && counted) world.end(counted);
  world.now += what === 'a while passes' ? 700_000 : 100;
}

test(
  'a Job never runs more than it may, counts every Pod once wherever it is cut off, and ends',
  () => {
    fc.assert(
      fc.property(specs, fc.array(happening, { maxLength: 80 }), (spec, story) => {
        const world = new Simulation();
        const template = templateFor({ app: 'work' }, { restartPolicy: 'Never' });
        world.create({
          ...jobType,
          metadata: { name: 'work' },
          spec: { ...spec, backoffLimit: 1000, template, selector: { matchLabels: { app: 'work' } } },
        });
        const truth = new Truth();
        for (const one of story) {
          happen(world, truth, one);
          const { succeeded = 0, failed = 0 } = jobIn(world).status ?? {};
          expect(world.pods.filter(isActive).length).toBeLessThanOrEqual(spec.parallelism);
          expect(succeeded).toBeLessThanOrEqual(truth.succeeded.size);
          expect(failed).toBeLessThanOrEqual(truth.failed.size);
        }
        for (let round = 0; !isTrue(jobIn(world).status?.conditions, 'Complete'); round++) {
          expect(round, 'it does not come to an end').toBeLessThan(100);
          world.pass(jobs, 'work');
          for (const pod of world.pods.filter(isActive)) truth.end(world, pod, 'Succeeded');
          world.now += 700_000;
        }
        const { status } = jobIn(world);
        expect(status?.succeeded).toBe(spec.completions);
        expect(truth.succeeded.size).toBe(spec.completions);
        expect(status?.failed ?? 0).toBe(truth.failed.size);
        expect(status?.uncountedTerminatedPods).toEqual({});
        expect(world.pods.filter(pod => phaseOf(pod) === 'Pending')).toEqual([]);
        expect(world.pods.filter(pod => (pod.metadata.finalizers ?? []).length > 0)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
  lawTimeout,
);

test('a Job past its deadline says so, wherever its last pass is cut off', () => {
  for (let writes = 0; writes < 4; writes++) {
    const world = new Simulation();
    const template = templateFor({ app: 'work' }, { restartPolicy: 'Never' });
    const selector = { matchLabels: { app: 'work' } };
    const spec = { activeDeadlineSeconds: 3, backoffLimit: 0, parallelism: 1, completions: 1 };
    world.create({ ...jobType, metadata: { name: 'work' }, spec: { ...spec, template, selector } });
    world.pass(jobs, 'work');
    world.now += 4000;
    world.pass(jobs, 'work', writes);
    for (let round = 0; round < 5; round++) {
      world.pass(jobs, 'work');
      for (const pod of world.pods) world.end(pod);
    }
    const failed = findCondition(jobIn(world).status?.conditions, 'Failed');
    expect({ writes, reason: failed?.reason }).toEqual({ writes, reason: 'DeadlineExceeded' });
  }
});
