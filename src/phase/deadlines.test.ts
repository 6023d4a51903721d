import { describe, expect, it } from 'vitest';
import { isOverdue, noSoonerThanSeen, watchedSeconds } from './deadlines.ts';

const minutes = 60_000;
const begun = { startedAt: 0 };

describe('a deadline', () => {
  it.each([
    { says: 'is not over before its time', now: 9 * minutes, want: false },
    { says: 'is over after its time', now: 11 * minutes, want: true },
    { says: 'is not over for one who just came', now: 60 * minutes, claimedAt: 60 * minutes, want: false },
    { says: 'is over for one who came and looked', now: 62 * minutes, claimedAt: 60 * minutes, want: true },
    { says: 'is its own for one who began it', now: 10 * minutes + 1, claimedAt: 0, want: true },
  ])('of ten minutes $says', ({ now, claimedAt, want }) => {
    expect(isOverdue({ ...begun, now, ...(claimedAt === undefined ? {} : { claimedAt }) }, 600)).toBe(want);
  });

  it('that is short leaves no longer to look than it is itself', () => {
    const came = { ...begun, claimedAt: 60 * minutes };
    expect(isOverdue({ ...came, now: 60 * minutes + 4000 }, 5)).toBe(false);
    expect(isOverdue({ ...came, now: 60 * minutes + 6000 }, 5)).toBe(true);
  });
});

it('what nobody watched does not count as watched', () => {
  expect(watchedSeconds({ ...begun, now: 10_000 }, 4000)).toBe(6);
  expect(watchedSeconds({ ...begun, now: 10_000, claimedAt: 9000 }, 4000)).toBe(1);
  expect(watchedSeconds({ ...begun, now: 10_000, claimedAt: 2000 }, 4000)).toBe(6);
});

it('a soak that ended while nobody looked goes on until somebody has looked for a while', () => {
  const came = { ...begun, now: 0, claimedAt: 60 * minutes };
  expect(noSoonerThanSeen({ ...begun, now: 0 }, 5 * minutes, 300)).toBe(5 * minutes);
  expect(noSoonerThanSeen({ ...begun, now: 0, claimedAt: 0 }, 5 * minutes, 300)).toBe(5 * minutes);
  expect(noSoonerThanSeen(came, 5 * minutes, 300)).toBe(61 * minutes);
  expect(noSoonerThanSeen(came, 5000, 5)).toBe(60 * minutes + 5000);
  expect(noSoonerThanSeen(came, 90 * minutes, 5400)).toBe(90 * minutes);
});
