import { expect, test } from 'vitest';
import { humanDuration, since } from './human-duration.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [-5 * second, '<invalid>'],
  [-second, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 5 * second, '9m5s'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 30 * minute, '7h30m'],
  [47 * hour, '47h'],
  [2 * day + 3 * hour, '2d3h'],
  [8 * day, '8d'],
  [729 * day, '729d'],
  [3 * 365 * day + 4 * day, '3y4d'],
  [9 * 365 * day + 4 * day, '9y'],
])('%i ms is %s', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

test('a moment that is not known is said to be so', () => {
  expect([since(undefined, 0), since('never', 0)]).toEqual(['<unknown>', '<invalid>']);
});
