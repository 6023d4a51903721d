import { describe, expect, it } from 'vitest';
import { opensNext, windowIsOpen } from './maintenance-window.ts';

type Window = Parameters<typeof windowIsOpen>[0];
const window = (more: Partial<Window> = {}): Window => ({
  ...{ days: ['sat'], start: '22:00', durationMinutes: 240, timeZone: 'UTC' },
  ...more,
});
const at = (time: string) => Date.parse(time);

describe('a maintenance window', () => {
  it.each([
    ['is shut before it opens', '2026-01-03T21:59:59Z', 0, false],
    ['is open from its first second', '2026-01-03T22:00:00Z', 0, true],
    ['reaches over midnight', '2026-01-04T01:59:00Z', 0, true],
    ['is shut at its end', '2026-01-04T02:00:00Z', 0, false],
    ['is shut on other days', '2026-01-05T22:30:00Z', 0, false],
    ['has room for what just fits', '2026-01-04T01:00:00Z', 3600, true],
    ['has none for a second more', '2026-01-04T01:00:00Z', 3601, false],
  ])('%s', (_, now, needed, want) => {
    expect(windowIsOpen(window(), at(now), needed)).toBe(want);
  });

  it.each([
    ['Europe/Berlin', '2026-01-03T21:00:00Z', true],
    ['Europe/Berlin', '2026-01-03T20:59:00Z', false],
    ['Asia/Kolkata', '2026-01-03T16:30:00Z', true],
    ['America/New_York', '2026-01-04T03:00:00Z', true],
    ['America/New_York', '2026-01-03T22:00:00Z', false],
  ])('goes by the clocks of %s', (timeZone, now, want) => {
    expect(windowIsOpen(window({ timeZone }), at(now), 0)).toBe(want);
  });

  it('that lasts a week is always open', () => {
    const long = window({ durationMinutes: 10_080 });
    for (let hour = 0; hour < 168; hour++)
      expect(windowIsOpen(long, at('2026-01-05T00:30:00Z') + hour * 3_600_000, 0)).toBe(true);
  });

  // Berlin goes from 02:00 to 03:00 on 29 March 2026 and from 03:00 to 02:00 on 25 October.
  it.each([
    ['lasts as long when an hour is skipped', '2026-03-29T02:59:00Z', true],
    ['and no longer', '2026-03-29T03:00:00Z', false],
    ['lasts as long when an hour comes twice', '2026-10-25T01:59:00Z', true],
    ['and then is shut, although clocks say it is early', '2026-10-25T02:00:00Z', false],
  ])('%s', (_, now, want) => {
    const night = window({ days: ['sun'], start: '01:00', durationMinutes: 180, timeZone: 'Europe/Berlin' });
    expect(windowIsOpen(night, at(now), 0)).toBe(want);
  });

  it('whose hour is skipped opens all the same', () => {
    const skipped = window({ days: ['sun'], start: '02:30', durationMinutes: 60, timeZone: 'Europe/Berlin' });
    expect(windowIsOpen(skipped, at('2026-03-29T01:45:00Z'), 0)).toBe(true);
  });
});

describe('the next opening', () => {
  const sunday = window({ days: ['sun'], start: '01:00', durationMinutes: 60, timeZone: 'Europe/Berlin' });
  it.each([
    ['is later today', [window()], '2026-01-03T10:00:00Z', 0, '2026-01-03T22:00:00.000Z'],
    ['is in a week where one is open now', [window()], '2026-01-03T22:00:00Z', 0, '2026-01-10T22:00:00.000Z'],
    ['is the first of several', [window(), sunday], '2026-01-04T00:30:00Z', 0, '2026-01-10T22:00:00.000Z'],
    ['goes by the clocks of its zone', [sunday], '2026-01-01T00:00:00Z', 0, '2026-01-04T00:00:00.000Z'],
    [
      'is of a window that is long enough',
      [window(), sunday],
      '2026-01-03T23:00:00Z',
      7200,
      '2026-01-10T22:00:00.000Z',
    ],
  ])('%s', (_, windows, now, needed, want) => {
    expect(new Date(opensNext(windows, at(now), needed) ?? 0).toISOString()).toBe(want);
  });

  it('is none where no window is long enough, or none is given', () => {
    expect(opensNext([window()], at('2026-01-03T10:00:00Z'), 5 * 3600)).toBeUndefined();
    expect(opensNext([], at('2026-01-03T10:00:00Z'), 0)).toBeUndefined();
  });
});
