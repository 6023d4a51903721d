import { expect, test } from 'vitest';
import { measured, median, medianTimes } from './measure.ts';

test.each([
  { says: 'of nothing is no number', values: [], want: Number.NaN },
  { says: 'of one is that one', values: [7], want: 7 },
  { says: 'of three is the middle, whatever the order', values: [100, 1, 3], want: 3 },
  { says: 'of four is between the two in the middle', values: [4, 1, 100, 2], want: 3 },
  { says: 'sorts by size and not by text', values: [10, 9, 8], want: 9 },
])('the median $says', ({ values, want }) => {
  expect(median(values)).toEqual(want);
});

const facts = { measure: 'order', unit: 'ms', against: 'bare Kahn', goal: 2 };

test.each([
  { says: 'at the goal holds', value: 20, floor: 10, ratio: 2, holds: true },
  { says: 'past the goal does not hold', value: 21, floor: 10, ratio: 2.1, holds: false },
  { says: 'better than the floor is below one', value: 5, floor: 10, ratio: 0.5, holds: true },
  { says: 'against a floor of nothing never holds', value: 5, floor: 0, ratio: Infinity, holds: false },
])('a time $says', ({ value, floor, ratio, holds }) => {
  expect(measured({ ...facts, value, floor })).toEqual({ ...facts, value, floor, ratio, holds });
});

test('a rate has the same sense: half as many a second is twice as bad', () => {
  const rate = measured({ ...facts, unit: 'per s', value: 50, floor: 100, more: 'is better' });
  expect(rate).toMatchObject({ ratio: 2, holds: true });
  expect(rate).not.toHaveProperty('more');
});

test('both sides run in turns, and the first turn is not counted', async () => {
  const calls: string[] = [];
  const times = await medianTimes(
    2,
    () => calls.push('ours'),
    async () => calls.push('floor'),
  );
  expect(calls).toEqual(['ours', 'floor', 'ours', 'floor', 'ours', 'floor']);
  expect(times.ours).toBeGreaterThanOrEqual(0);
});
