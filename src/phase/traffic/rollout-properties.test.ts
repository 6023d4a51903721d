import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SliceReport, TrafficReport, Weights } from '../../traffic/traffic.ts';
import { type Counted, countedOf, noRequests } from './compare-slices.ts';
import { decideRollout } from './decide-rollout.ts';
import { percentOf, shareOut, wholeShare } from './share-out.ts';

const olds = ['old-1', 'old-2', 'old-3'];
const news = ['new-1', 'new-2', 'new-3'];

type WorldOf<T> = T extends fc.Arbitrary<infer V> ? V : never;

const world = fc.record({
  from: fc
    .uniqueArray(fc.constantFrom(...olds), { maxLength: 3 })
    .chain(names =>
      fc.tuple(...names.map(name => fc.tuple(fc.constant(name), fc.integer({ min: 1, max: 100 })))),
    )
    .map(entries => Object.fromEntries(entries) as Weights),
  slices: fc.uniqueArray(fc.constantFrom(...news), { minLength: 1, maxLength: 3 }),
  canWeigh: fc.boolean(),
  weights: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 16 }),
  stepSeconds: fc.integer({ min: 0, max: 30 }),
  finalPercent: fc.integer({ min: 1, max: 100 }),
  /** What the world answers, pass after pass: whether the new slices are ready, and how they did since the last one. */
  answers: fc.array(
    fc.record({ ready: fc.boolean(), requests: fc.nat(40), errors: fc.nat(4), seconds: fc.nat(5) }),
    { maxLength: 60 },
  ),
});

function aReport(
  weights: Weights,
  slices: readonly string[],
  ready: boolean,
  canWeigh: boolean,
): TrafficReport {
  const reports = [...new Set([...Object.keys(weights), ...slices])].map(name => {
    const weight = weights[name] ?? 0;
    const isNew = slices.includes(name);
    const report: SliceReport = { weight, out: weight > 0 ? 'no' : 'yes', ready: isNew && !ready ? 0 : 1 };
    return [name, report] as const;
  });
  return { exists: true, canWeigh, slices: Object.fromEntries(reports) };
}

const sum = (weights: Weights) => Object.values(weights).reduce((all, weight) => all + weight, 0);

test('shares are whole, add up to the same total, and name nobody who was not asked for', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 100 }), ({ from, slices }, percent) => {
      const shares = shareOut(percent, slices, from);
      expect(sum(shares)).toBe(wholeShare);
      const asked = [...slices, ...Object.keys(from)];
      for (const [slice, weight] of Object.entries(shares)) {
        expect(asked).toContain(slice);
        expect(Number.isInteger(weight) && weight >= 0).toBe(true);
      }
      for (const slice of slices) expect(shares[slice]).toBeGreaterThan(0);
    }),
  );
});

interface Walk {
  /** Every set of shares on the way, the first one as it was found. */
  readonly shares: readonly Weights[];
  readonly end: 'done' | 'failed' | 'never';
}

/** Does what is decided, in a world that answers as told; after that it is ready, and waits as long as it is asked to. */
function walkRollout(given: WorldOf<typeof world>): Walk {
  const { from, slices, canWeigh, weights, stepSeconds, finalPercent, answers } = given;
  const plan = { weights, stepSeconds, maxErrorPercent: 5 };
  const watched: Record<string, Counted> = {};
  const shares = [from];
  let [now, elapsedInStep] = [from, 0];
  const tail = Array.from({ length: 40 * (weights.length + 3) }, () => undefined);
  for (const answer of [...answers, ...tail]) {
    const report = aReport(now, slices, answer?.ready ?? true, canWeigh);
    const { requests = 0, errors = 0 } = answer ?? {};
    for (const slice of slices.filter(one => (now[one] ?? 0) > 0)) {
      const more = { requests, errors: Math.min(requests, errors) };
      watched[slice] = countedOf({ before: watched[slice] ?? noRequests, more }, ['before', 'more']);
    }
    const decision = decideRollout({ report, from, slices, plan, elapsedInStep, watched, finalPercent });
    if ('wait' in decision) elapsedInStep += answer ? answer.seconds : decision.wait;
    else if ('set' in decision) {
      shares.push(decision.set);
      [now, elapsedInStep] = [decision.set, 0];
    } else return { shares, end: 'done' in decision ? 'done' : 'failed' };
  }
  return { shares, end: 'never' };
}

test('a rollout ends for every sequence of answers', () => {
  fc.assert(
    fc.property(world, given => {
      const { shares, end } = walkRollout(given);
      expect(end).not.toBe('never');
      const last = shares.at(-1) ?? {};
      const isServed = given.slices.every(slice => (last[slice] ?? 0) > 0);
      expect(isServed || end === 'failed').toBe(true);
    }),
  );
});

test('a rollout keeps to the total, gives to nobody who was not asked for, and never takes a share back', () => {
  fc.assert(
    fc.property(world, given => {
      const { shares } = walkRollout(given);
      const asked = [...given.slices, ...Object.keys(given.from)];
      for (const [index, set] of shares.slice(1).entries()) {
        expect(sum(set)).toBe(wholeShare);
        expect(Object.keys(set).filter(slice => !asked.includes(slice))).toEqual([]);
        expect(percentOf(set, given.slices)).toBeGreaterThan(percentOf(shares[index] ?? {}, given.slices));
      }
    }),
  );
});
