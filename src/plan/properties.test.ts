import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../api/lifecycle-plan.ts';
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
  requires: fc.array(fc.nat(7), { maxLength: 3 }),
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

/** Who stands on whom, by name. */
function standingPairs(cloud: readonly Made[]): [string, string][] {
  return cloud.flatMap(({ requires }, index) =>
    requires.filter(other => other < index).map((other): [string, string] => [`s${index}`, `s${other}`]),
  );
}

/** When the steps of a service run, and which flows they are. */
function runOf(
  { steps }: Plan,
  service: string,
): { first: number; last: number; flows: string[] } | undefined {
  const own = steps.filter(step => step.service === service);
  const waves = own.map(step => step.wave);
  if (own.length === 0) return undefined;
  return { first: Math.min(...waves), last: Math.max(...waves), flows: own.map(step => step.flow) };
}

const story = fc.record({
  cloud: fc.array(made, { minLength: 1, maxLength: 8 }),
  first: wish,
  second: wish,
  back: fc.boolean(),
});

function planOf(result: PlanResult) {
  if (!('plan' in result)) return undefined;
  return result.plan;
}

interface Story {
  readonly cloud: readonly Made[];
  readonly first: Wish;
  readonly second: Wish;
  readonly back: boolean;
}

/** The second wish, never below the first: a lower version that never ran here is refused, and says nothing about order. */
function upward(first: Wish, second: Wish): Wish {
  return second.map((entry, index) => ({
    ...entry,
    version: Math.max(entry.version, first[index]?.version ?? 0),
  }));
}

/** From the first record to the second; or, where the story goes back, from the second to the first again. */
async function secondInput({ cloud, first, second, back }: Story): Promise<PlanInput> {
  const packages = packagesOf(cloud);
  const [before, after] = [specOf(cloud, first), specOf(cloud, upward(first, second))];
  if (!back) return inputFor(after, packages, await runsAfter([before], packages));
  return inputFor(before, packages, await runsAfter([before, after], packages));
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

  it('a service comes after what it requires, and goes before it, in every flow', async () => {
    let pairs = 0;
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const plan = planOf(makePlan(await secondInput(random)));
        if (!plan) return;
        for (const [upper, lower] of standingPairs(random.cloud)) {
          const [up, low] = [runOf(plan, upper), runOf(plan, lower)];
          if (!up || !low) continue;
          pairs++;
          const down = low.flows.every(flow => flow === 'rollback' || flow === 'uninstall');
          const goes = up.flows.every(flow => flow === 'uninstall');
          if (down || goes) expect(up.last).toBeLessThan(low.first);
          else expect(low.last).toBeLessThan(up.first);
        }
      }),
      { numRuns: 40 },
    );
    expect(pairs).toBeGreaterThan(20);
  });

  it('touches only services that differ', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(7), async ({ cloud, first }, pick) => {
        const index = pick % cloud.length;
        const second = first.map((entry, place) =>
          place === index ? { ...entry, version: Math.min(entry.version + 1, 3) } : entry,
        );
        const input = await secondInput({ cloud, first, second, back: false });
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
        }
      }),
      { numRuns: 25 },
    );
  });

  it('moves data that only one version survives without anything else of the service running', async () => {
    await fc.assert(
      fc.asyncProperty(story, async random => {
        const plan = planOf(makePlan(await secondInput(random)));
        const asOne = (plan?.steps ?? []).filter(step =>
          step.data.some(data => data.action === 'migrate' || data.action === 'restore'),
        );
        for (const step of asOne) {
          expect(plan?.steps.filter(other => other.service === step.service)).toEqual([step]);
          if (step.flow !== 'install') expect(step.strategy).toBe('recreate');
        }
      }),
      { numRuns: 40 },
    );
  });
});
