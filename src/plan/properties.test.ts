import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOut } from '../testing/carry-out.ts';
import type { PackageWords } from '../testing/memory-packages.ts';
import { inputFor, runsAfter } from '../testing/plan-story.ts';
import { makePlan, type PlanInput, type PlanResult, planDigest } from './plan.ts';

const versions = ['1.0.0', '1.1.0', '2.0.0', '3.0.0'] as const;

/** A service of a made-up cloud. */
interface Made {
  readonly requires: readonly number[];
  readonly tier: 'infrastructure' | 'controlplane' | 'dataplane';
  readonly strategy: 'recreate' | 'rolling' | 'bluegreen';
  readonly split: boolean | undefined;
  readonly components: number;
}

const made: fc.Arbitrary<Made> = fc.record({
  requires: fc.array(fc.nat(20), { maxLength: 3 }),
  tier: fc.constantFrom('infrastructure', 'controlplane', 'dataplane'),
  strategy: fc.constantFrom('recreate', 'rolling', 'bluegreen'),
  split: fc.constantFrom(true, false, undefined),
  components: fc.nat(3),
});

/** Which services a record names, at which version and size. */
const wish = fc.array(
  fc.record({
    there: fc.boolean(),
    version: fc.nat(versions.length - 1),
    replicas: fc.integer({ min: 1, max: 3 }),
    level: fc.constantFrom('info', 'debug'),
  }),
  {
    minLength: 8,
    maxLength: 8,
  },
);

/** Packages of every version of every service; a service requires only ones with a lower number, so there is no circle. */
function packagesOf(cloud: readonly Made[]): PackageWords[] {
  return cloud.flatMap((service, index) =>
    versions.map((version, place): PackageWords => {
      const name = `s${index}`;
      const whole = service.split === false;
      return {
        service: name,
        version,
        tier: service.tier,
        strategy: whole ? 'recreate' : service.strategy,
        requires: [...new Set(service.requires.filter(other => other < index))].map(other => ({
          service: `s${other}`,
        })),
        components: Array.from({ length: service.components }, (_, part) => ({
          name: `c${part}`,
          tier: service.tier,
        })),
        ...(service.split === undefined
          ? {}
          : {
              data: [
                {
                  name: 'db',
                  head: `head-${Math.floor(place / 2)}`,
                  goesOnUncontracted: true,
                  migrate: whole
                    ? { sync: `job/${name}-sync` }
                    : { expand: `job/${name}-expand`, contract: `job/${name}-contract` },
                  backup: `job/${name}-backup`,
                },
              ],
            }),
      };
    }),
  );
}

type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;

/** A record that names what is wished for and everything that needs. What is not wished for any more is removed. */
function specOf(cloud: readonly Made[], wished: Wish): string {
  const there = new Set(wished.flatMap((entry, index) => (entry.there && cloud[index] ? [index] : [])));
  for (const index of [...there].sort((a, b) => b - a))
    for (const other of needsOf(cloud, index)) there.add(other);
  const lines = [...there].map(index => {
    const { version = 0, replicas = 1, level = 'info' } = wished[index] ?? {};
    return `  - { name: s${index}, version: "${versions[version]}", values: { replicas: ${replicas}, level: ${level} } }`;
  });
  const gone = cloud.flatMap((_, index) => (there.has(index) ? [] : [`{ name: s${index} }`]));
  return [`removed: [${gone.join(', ')}]`, lines.length > 0 ? 'services:' : 'services: []', ...lines].join(
    '\n',
  );
}

function needsOf(cloud: readonly Made[], index: number): number[] {
  const direct = (cloud[index]?.requires ?? []).filter(other => other < index);
  return direct.flatMap(other => [other, ...needsOf(cloud, other)]);
}

const story = fc.record({ cloud: fc.array(made, { minLength: 1, maxLength: 8 }), first: wish, second: wish });

function planOf(result: PlanResult) {
  if (!('plan' in result)) return undefined;
  return result.plan;
}

/** The input of the second record over what the first one left. Undefined where going there is refused (a lower version that never ran). */
async function secondInput({
  cloud,
  first,
  second,
}: {
  cloud: readonly Made[];
  first: Wish;
  second: Wish;
}): Promise<PlanInput> {
  const packages = packagesOf(cloud);
  return inputFor(specOf(cloud, second), packages, await runsAfter([specOf(cloud, first)], packages));
}

describe('planning, whatever the cloud', () => {
  it('a cloud that is as its record says needs nothing', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ cloud, first }) => {
        const packages = packagesOf(cloud);
        const spec = specOf(cloud, first);
        const plan = planOf(makePlan(await inputFor(spec, packages, await runsAfter([spec], packages))));
        expect(plan?.steps).toEqual([]);
        expect(plan?.waiting).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('after a plan is carried out there is nothing left to do', async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const input = await secondInput(random);
        const plan = planOf(makePlan(input));
        if (!plan) return;
        planned += plan.steps.length;
        const after = planOf(makePlan({ ...input, observed: carryOut({ ...input, plan }) }));
        expect(after?.steps).toEqual([]);
      }),
      { numRuns: 50 },
    );
    expect(planned).toBeGreaterThan(50);
  });

  it('cut off after any step, planning again ends in the same state', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(20), async (random, cut) => {
        const input = await secondInput(random);
        const plan = planOf(makePlan(input));
        if (!plan || plan.steps.length === 0) return;
        const half = { ...plan, steps: plan.steps.slice(0, cut % plan.steps.length) };
        const observed = carryOut({ ...input, plan: half });
        const rest = planOf(makePlan({ ...input, observed }));
        expect(rest).toBeDefined();
        if (!rest) return;
        const versionsOf = (state: typeof observed) =>
          state.services
            .flatMap(service =>
              service.parts.map(part => `${service.name} ${part.component} ${part.version}`),
            )
            .sort();
        expect(versionsOf(carryOut({ ...input, observed, plan: rest }))).toEqual(
          versionsOf(carryOut({ ...input, plan })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('every step comes after what it waits for, in an earlier wave', async () => {
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const plan = planOf(makePlan(await secondInput(random)));
        if (!plan) return;
        const place = new Map(plan.steps.map((step, index) => [step.id, { index, wave: step.wave }]));
        for (const [index, step] of plan.steps.entries()) {
          for (const before of step.waitsFor) {
            expect(place.get(before)?.index).toBeLessThan(index);
            expect(place.get(before)?.wave).toBeLessThan(step.wave);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('a service comes after what it requires, and goes before it', async () => {
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const input = await secondInput(random);
        const plan = planOf(makePlan(input));
        if (!plan) return;
        const first = new Map<string, number>();
        const last = new Map<string, number>();
        for (const step of plan.steps) {
          if (!first.has(step.service)) first.set(step.service, step.wave);
          last.set(step.service, step.wave);
        }
        for (const step of plan.steps) {
          const index = Number(step.service.slice(1));
          for (const other of random.cloud[index]?.requires.filter(number => number < index) ?? []) {
            const lower = `s${other}`;
            const flows = plan.steps
              .filter(candidate => candidate.service === lower)
              .map(candidate => candidate.flow);
            if (flows.length === 0) continue;
            const dataplane = random.cloud[other]?.tier === 'dataplane';
            if (step.flow === 'install' && flows.every(flow => flow === 'install') && !dataplane) {
              expect(last.get(lower)).toBeLessThan(step.wave);
            }
            if (step.flow === 'uninstall' && flows.every(flow => flow === 'uninstall')) {
              expect(step.wave).toBeLessThan(first.get(lower) ?? 0);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('touches only services that differ', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(7), async ({ cloud, first }, pick) => {
        const index = pick % cloud.length;
        const second = first.map((entry, place) =>
          place === index ? { ...entry, version: Math.min(entry.version + 1, 3) } : entry,
        );
        const input = await secondInput({ cloud, first, second });
        const plan = planOf(makePlan(input));
        for (const step of plan?.steps ?? []) expect(step.service).toBe(`s${index}`);
      }),
      { numRuns: 30 },
    );
  });

  it('the same input gives the same bytes, whatever the order of what was read', async () => {
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const input = await secondInput(random);
        const first = makePlan(input);
        const second = makePlan({
          ...input,
          targets: input.targets.toReversed(),
          observed: { ...input.observed, services: input.observed.services.toReversed() },
        });
        expect(second).toEqual(first);
        if ('plan' in first && 'plan' in second) expect(planDigest(second.plan)).toBe(planDigest(first.plan));
      }),
      { numRuns: 25 },
    );
  });

  it('promises no way back it does not have', async () => {
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const plan = planOf(makePlan(await secondInput(random)));
        if (!plan) return;
        expect(plan.back.map(step => step.undoes)).toEqual(plan.steps.map(step => step.id).reverse());
        for (const step of plan.steps) {
          if (step.pointOfNoReturn) expect(step.consents.length).toBeGreaterThan(0);
          if (step.goingBack.cost === 'impossible') expect(step.pointOfNoReturn).toBe(true);
          if (step.consents.length > 0) expect(plan.approval).toBe('manual');
          const asOne = step.data.some(data => data.action === 'migrate' || data.action === 'restore');
          // Nothing else of the service may serve, or come up, while its data moves under it.
          if (asOne) expect(plan.steps.filter(other => other.service === step.service)).toHaveLength(1);
          if (asOne && step.flow !== 'install') expect(step.strategy).toBe('recreate');
          if (step.impact.api === 'none' && step.flow === 'upgrade')
            expect(step.strategy).not.toBe('recreate');
        }
      }),
      { numRuns: 25 },
    );
  });
});
