import { describe, expect, test } from 'vitest';
import type { TrafficReport, Weights } from '../../traffic/traffic.ts';
import { decideRollout, type RolloutInput } from './decide-rollout.ts';
import type { Decision } from './decision.ts';

const plan = { weights: [10, 50], stepSeconds: 10, maxErrorPercent: 5 };

/** A route where these have a share, and all of these are ready. */
function aReport(weights: Weights, ready: readonly string[], canWeigh = true): TrafficReport {
  const names = [...new Set([...Object.keys(weights), ...ready])];
  const slices = names.map(name => {
    const weight = weights[name] ?? 0;
    return [name, { weight, out: weight > 0 ? 'no' : 'unknown', ready: ready.includes(name) ? 1 : 0 }];
  });
  return { exists: true, canWeigh, slices: Object.fromEntries(slices) };
}

function decide(report: TrafficReport, more: Partial<RolloutInput> = {}): Decision {
  return decideRollout({ report, from: { blue: 100 }, slices: ['green'], plan, elapsedInStep: 0, ...more });
}

const both = ['blue', 'green'];

describe('a new slice', () => {
  const rows: { says: string; decision: Decision; want: object }[] = [
    {
      says: 'is not waited for where the route is missing: the route is',
      decision: decide({ exists: false, slices: {}, canWeigh: true }),
      want: { wait: 1, because: 'the route is not there yet' },
    },
    {
      says: 'gets nothing before an address of it is ready',
      decision: decide(aReport({ blue: 100 }, ['blue'])),
      want: { wait: 1, because: 'no address of slice green is ready' },
    },
    {
      says: 'first gets the first share',
      decision: decide(aReport({ blue: 100 }, both)),
      want: { set: { blue: 90, green: 10 } },
    },
    {
      says: 'is watched at each share',
      decision: decide(aReport({ blue: 90, green: 10 }, both), { elapsedInStep: 9.5 }),
      want: { wait: 0.5, because: 'slice green has 10 % of the traffic and is watched for 10 s' },
    },
    {
      says: 'gets the next share when the time is over',
      decision: decide(aReport({ blue: 90, green: 10 }, both), { elapsedInStep: 10 }),
      want: { set: { blue: 50, green: 50 } },
    },
    {
      says: 'gets no larger share while it is not ready',
      decision: decide(aReport({ blue: 90, green: 10 }, ['blue']), { elapsedInStep: 99 }),
      want: { wait: 1, because: 'no address of slice green is ready' },
    },
    {
      says: 'gets all of it in the end',
      decision: decide(aReport({ blue: 50, green: 50 }, both), { elapsedInStep: 10 }),
      want: { set: { green: 100 } },
    },
    {
      says: 'is watched with all of it too',
      decision: decide(aReport({ green: 100 }, both), { elapsedInStep: 3 }),
      want: { wait: 1 },
    },
    {
      says: 'is done after that',
      decision: decide(aReport({ green: 100 }, both), { elapsedInStep: 10 }),
      want: { done: true },
    },
    {
      says: 'goes on from a share that somebody else set',
      decision: decide(aReport({ blue: 70, green: 30 }, both), { elapsedInStep: 10 }),
      want: { set: { blue: 50, green: 50 } },
    },
    {
      says: 'gets all at once where nobody was served',
      decision: decide(aReport({}, ['green']), { from: {} }),
      want: { set: { green: 100 } },
    },
    {
      says: 'gets as much as the others where the router cannot weigh',
      decision: decide(aReport({ blue: 100 }, both, false)),
      want: { set: { blue: 50, green: 50 } },
    },
    {
      says: 'is done beside the old one where the router cannot weigh',
      decision: decide(aReport({ blue: 50, green: 50 }, both, false), { elapsedInStep: 10 }),
      want: { done: true },
    },
    {
      says: 'gets its part beside the others in a rolling change, and no more',
      decision: decide(aReport({ a: 45, b: 45, green: 10 }, ['a', 'b', 'green']), {
        from: { a: 50, b: 50 },
        elapsedInStep: 10,
        finalPercent: 100 / 3,
      }),
      want: { set: { a: 34, b: 33, green: 33 } },
    },
    {
      says: 'takes from the others in proportion to what they had',
      decision: decide(aReport({ a: 60, b: 20 }, ['a', 'b', 'green']), { from: { a: 60, b: 20 } }),
      want: { set: { a: 68, b: 22, green: 10 } },
    },
    {
      says: 'of several never replaces all that served in one moment',
      decision: decide(aReport({ blue: 100 }, ['blue', 'g1', 'g2']), {
        slices: ['g1', 'g2'],
        plan: { ...plan, weights: [] },
      }),
      want: { set: { blue: 33, g1: 34, g2: 33 } },
    },
  ];
  test.each(rows)('$says', ({ decision, want }) => {
    expect(decision).toMatchObject(want);
  });
});

describe('errors', () => {
  const serving = aReport({ blue: 90, green: 10 }, both);

  test('past the limit end it at once, in the first second of a step, with both rates', () => {
    const watched = { green: { requests: 20, errors: 3 }, blue: { requests: 180, errors: 1 } };
    expect(decide(serving, { watched, elapsedInStep: 0.1 })).toEqual({
      failed: 'TooManyErrors',
      message:
        'slice green fails more than it may (5 points): 3 of 20 failed (15.0 %), beside 1 of 180 failed (0.6 %)',
    });
  });

  test('past the limit end it also when the new slice is no longer ready', () => {
    const watched = { green: { requests: 5, errors: 5 } };
    expect(decide(aReport({ blue: 90, green: 10 }, ['blue']), { watched })).toHaveProperty('failed');
  });

  test('that the old slice has as well change nothing', () => {
    const watched = { green: { requests: 20, errors: 10 }, blue: { requests: 180, errors: 90 } };
    expect(decide(serving, { watched, elapsedInStep: 10 })).toHaveProperty('set');
  });

  test('are measured by what was before where the old slice gets nothing', () => {
    const watched = { green: { requests: 100, errors: 12 } };
    const all = aReport({ green: 100 }, both);
    const baseline = { requests: 1000, errors: 100 };
    expect(decide(all, { watched, baseline, elapsedInStep: 10 })).toEqual({ done: true });
    expect(decide(all, { watched, elapsedInStep: 10 })).toHaveProperty('failed');
  });
});
