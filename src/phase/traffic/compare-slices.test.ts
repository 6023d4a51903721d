import { describe, expect, test } from 'vitest';
import { type Comparison, type Counted, compareSlices, countedOf, oldCounted } from './compare-slices.ts';

const counted = (errors: number, requests: number): Counted => ({ requests, errors });

describe('new slices beside old ones', () => {
  const rows: { says: string; fresh: Counted; old: Counted; max: number; want: Comparison['verdict'] }[] = [
    {
      says: 'are unsure before anybody asked',
      fresh: counted(0, 0),
      old: counted(0, 900),
      max: 5,
      want: 'unsure',
    },
    {
      says: 'are unsure after 19 requests',
      fresh: counted(18, 19),
      old: counted(0, 900),
      max: 5,
      want: 'unsure',
    },
    {
      says: 'are judged from 20 requests on',
      fresh: counted(2, 20),
      old: counted(0, 900),
      max: 5,
      want: 'worse',
    },
    {
      says: 'are worse after five requests that all failed',
      fresh: counted(5, 5),
      old: counted(0, 9),
      max: 5,
      want: 'worse',
    },
    {
      says: 'are unsure after four that all failed',
      fresh: counted(4, 4),
      old: counted(0, 900),
      max: 5,
      want: 'unsure',
    },
    {
      says: 'do well at the limit itself',
      fresh: counted(5, 100),
      old: counted(0, 100),
      max: 5,
      want: 'well',
    },
    {
      says: 'are worse just past it',
      fresh: counted(6, 100),
      old: counted(0, 100),
      max: 5,
      want: 'worse',
    },
    {
      says: 'do well where the old ones fail as much',
      fresh: counted(50, 100),
      old: counted(46, 100),
      max: 5,
      want: 'well',
    },
    {
      says: 'are unsure where the old ones are in trouble too and chance may have chosen them',
      fresh: counted(7, 21),
      old: counted(4, 26),
      max: 5,
      want: 'unsure',
    },
    {
      says: 'are worse where the old ones are in trouble too and they clearly fail more',
      fresh: counted(18, 21),
      old: counted(4, 26),
      max: 5,
      want: 'worse',
    },
    {
      says: 'do well where both fail altogether',
      fresh: counted(5, 5),
      old: counted(6, 6),
      max: 5,
      want: 'well',
    },
    {
      says: 'are not excused by one old request that failed',
      fresh: counted(4, 20),
      old: counted(1, 1),
      max: 5,
      want: 'worse',
    },
    {
      says: 'may not fail at all where the limit is zero',
      fresh: counted(1, 1000),
      old: counted(0, 1000),
      max: 0,
      want: 'worse',
    },
    {
      says: 'may do what they like where the limit is a hundred',
      fresh: counted(100, 100),
      old: counted(0, 100),
      max: 100,
      want: 'well',
    },
    {
      says: 'are unsure where counting began anew',
      fresh: counted(-3, -50),
      old: counted(0, 100),
      max: 5,
      want: 'unsure',
    },
  ];
  test.each(rows)('$says', ({ fresh, old, max, want }) => {
    expect(compareSlices(fresh, old, max).verdict).toBe(want);
  });

  test('are spoken of with both rates', () => {
    expect(compareSlices(counted(6, 50), counted(3, 600), 5).says).toBe(
      '6 of 50 failed (12.0 %), beside 3 of 600 failed (0.5 %)',
    );
  });
});

test('old slices are judged by what they do meanwhile, and by what they did before where that is too little', () => {
  expect(oldCounted(counted(10, 20), counted(0, 1000))).toEqual(counted(10, 20));
  expect(oldCounted(counted(1, 3), counted(0, 1000))).toEqual(counted(1, 1003));
  expect(oldCounted(counted(1, 3), undefined)).toEqual(counted(1, 3));
});

test('the counts of several slices are added, and one that was not counted is nothing', () => {
  const all = { blue: counted(1, 10), green: counted(2, 20), grey: counted(9, 90) };
  expect(countedOf(all, ['blue', 'green', 'white'])).toEqual(counted(3, 30));
});
