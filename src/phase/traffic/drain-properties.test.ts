import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SliceReport, Weights } from '../../traffic/traffic.ts';
import { decideDrain } from './decide-drain.ts';

const world = fc.record({
  others: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 100 })),
  /** Requests in flight, pass after pass; none after that. */
  inFlight: fc.array(fc.nat(9), { maxLength: 40 }),
  counted: fc.boolean(),
  cutsAtDeadline: fc.boolean(),
  canBeCut: fc.option(fc.nat(5), { nil: undefined }),
  drainSeconds: fc.nat(20),
  settleSeconds: fc.nat(10),
});

type World = typeof world extends fc.Arbitrary<infer V> ? V : never;

interface Walk {
  readonly shares: readonly Weights[];
  /** What was in flight when it was done, and how long after its traffic was taken; undefined where it never was. */
  readonly end:
    | { readonly going: number; readonly elapsed: number; readonly cut: number | undefined }
    | undefined;
}

/** The slice that leaves, as a router tells of it. */
function leaver(weight: number, going: number, counted: boolean): SliceReport {
  const isOut = weight === 0 && going === 0;
  if (!counted) return { weight, ready: 1, out: weight > 0 ? 'no' : 'unknown' };
  return { weight, ready: 1, out: isOut ? 'yes' : 'no', counts: { requests: 9, errors: 0, inFlight: going } };
}

/** Does what is decided until it is done, and waits as long as it is asked to. */
function walkDrain({ others, inFlight, counted, ...rest }: World): Walk {
  const shares: Weights[] = [];
  let [now, elapsed]: [Weights, number] = [{ ...others, leaver: 50 }, 0];
  for (const going of [...inFlight, ...Array.from({ length: 40 }, () => 0)]) {
    const serving = Object.entries(now).map(([slice, weight]) => [slice, { weight, ready: 1, out: 'no' }]);
    const leaving = leaver(now['leaver'] ?? 0, going, counted);
    const slices = { ...Object.fromEntries(serving), leaver: leaving };
    const report = { exists: true, canWeigh: counted, slices };
    const decision = decideDrain({ report, slices: ['leaver'], elapsed, elapsedOut: elapsed, ...rest });
    if ('done' in decision) return { shares, end: { going, elapsed, cut: decision.cut } };
    if ('set' in decision) {
      shares.push(decision.set);
      [now, elapsed] = [decision.set, 0];
    } else elapsed += decision.wait;
  }
  return { shares, end: undefined };
}

test('a drain takes the share once, gives it to those who had one, and ends when requests do', () => {
  fc.assert(
    fc.property(world, given => {
      const { shares, end } = walkDrain(given);
      const names = Object.keys(given.others);
      expect(shares.map(set => Object.keys(set).sort())).toEqual([names.sort()]);
      const total = Object.values(shares[0] ?? {}).reduce((sum, weight) => sum + weight, 0);
      expect(total).toBe(names.length > 0 ? 100 : 0);
      expect(end).toBeDefined();
    }),
  );
});

test('a drain cuts no request that nobody agreed to, and none before its time', () => {
  fc.assert(
    fc.property(world, given => {
      const { end } = walkDrain(given);
      const seen = given.counted ? (end?.going ?? 0) : 0;
      expect(end?.cut ?? 0).toBe(seen);
      if (seen === 0) return;
      expect(given.cutsAtDeadline || seen <= (given.canBeCut ?? 0)).toBe(true);
      expect(end?.elapsed).toBeGreaterThanOrEqual(given.drainSeconds);
    }),
  );
});
