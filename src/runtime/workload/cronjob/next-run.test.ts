import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSchedule, type Schedule } from '../../../base/cron-schedule.ts';
import { lastDue } from './due.ts';
import { isTimeZone, nextRun, zonedTimestamp } from './next-run.ts';

/** On a busy machine. */
const lawTimeout = 120_000;

function schedule(text: string): Schedule {
  const parsed = parseSchedule(text);
  if (!parsed) throw new Error(`cannot read ${text}`);
  return parsed;
}

function next(text: string, after: string, zone = 'UTC'): string | undefined {
  const time = nextRun(schedule(text), Date.parse(after), zone);
  return time === undefined ? undefined : zonedTimestamp(time, zone);
}

describe('schedules', () => {
  test.each([
    ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01:00Z'],
    ['*/15 * * * *', '2026-01-01T00:50:00Z', '2026-01-01T01:00:00Z'],
    ['5/20 3 * * *', '2026-01-01T03:25:00Z', '2026-01-01T03:45:00Z'],
    ['0 9-17/4 * * MON-FRI', '2026-01-02T17:00:00Z', '2026-01-05T09:00:00Z'],
    ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'], // either day will do
    ['0 0 */1 * fri', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'], // every day is no day in particular
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['30 1,13 1 jan,JUL *', '2026-01-01T02:00:00Z', '2026-01-01T13:30:00Z'],
    ['@hourly', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every 1h30m', '2026-01-01T00:00:10Z', '2026-01-01T01:30:10Z'],
  ])('%s after %s is due at %s', (text, after, due) => {
    const time = nextRun(schedule(text), Date.parse(after), 'UTC');
    expect(new Date(time ?? 0).toISOString().replace('.000', '')).toBe(due);
  });

  test('a day that never comes is never due', () => {
    expect(next('0 0 30 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
  });

  test.each([
    '',
    '* * * *',
    '60 * * * *',
    '* * * * 7',
    '5-1 * * * *',
    '*/0 * * * *',
    'x * * * *',
    '@never',
    '@every x',
  ])('%j is no schedule', text => expect(parseSchedule(text)).toBeUndefined());

  test('an hour that clocks leave out has no run, one that they show twice has two', () => {
    const zone = 'America/New_York';
    expect(next('30 2 * * *', '2026-03-07T12:00:00Z', zone)).toBe('2026-03-09T02:30:00-04:00');
    expect(next('30 1 * * *', '2026-11-01T04:00:00Z', zone)).toBe('2026-11-01T01:30:00-04:00');
    expect(next('30 1 * * *', '2026-11-01T05:30:00Z', zone)).toBe('2026-11-01T01:30:00-05:00');
  });

  test('a zone is one that the machine knows', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Olympus')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('missed runs', () => {
  const at = (text: string) => Date.parse(text);
  const due = (since: string, now: string) => lastDue(schedule('*/5 * * * *'), [at(since), at(now)], 'UTC');

  test('only the last of them is due', () => {
    expect(due('2026-01-01T00:00:00Z', '2026-01-01T00:17:00Z')).toEqual({
      time: at('2026-01-01T00:15:00Z'),
      isTooManyMissed: false,
    });
  });

  test('none is due before the first', () => {
    expect(due('2026-01-01T00:00:00Z', '2026-01-01T00:04:59Z').time).toBeUndefined();
  });

  test('more than a hundred are too many, and the last is due all the same', () => {
    expect(due('2026-01-01T00:00:00Z', '2026-01-02T00:01:00Z')).toEqual({
      time: at('2026-01-02T00:00:00Z'),
      isTooManyMissed: true,
    });
  });
});

const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];

function field(first: number, last: number): fc.Arbitrary<string> {
  const number = fc.integer({ min: first, max: last });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const part = fc.oneof(fc.constant('*'), number.map(String), range);
  const stepped = fc.tuple(part, fc.integer({ min: 1, max: 9 })).map(([one, step]) => `${one}/${step}`);
  return fc.oneof(
    part,
    stepped,
    fc.tuple(range, number).map(both => both.join(',')),
  );
}

/** The same question, asked of every minute, in the words of a calendar. */
function walk(text: string, after: number, zone: string, minutes: number): number | undefined {
  const names = ['minute', 'hour', 'day', 'month', 'weekday'] as const;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    minute: '2-digit',
    hour: '2-digit',
    day: '2-digit',
    month: '2-digit',
    weekday: 'short',
  });
  const fields = text.split(' ');
  const [first, last] = [
    [0, 0, 1, 1, 0],
    [59, 23, 31, 12, 6],
  ];
  const meets = (index: number, value: number) =>
    (fields[index] ?? '').split(',').some(part => {
      const [range = '', step = '1'] = part.split('/');
      const [from, to] = range === '*' ? [first[index] ?? 0, last[index] ?? 0] : range.split('-').map(Number);
      const end = to ?? (part.includes('/') ? (last[index] ?? 0) : (from ?? 0));
      return value >= (from ?? 0) && value <= end && (value - (from ?? 0)) % Number(step) === 0;
    });
  const isStar = (index: number) => (fields[index] ?? '').split(',').some(part => /^\*(\/1)?$/.test(part));
  const start = (Math.floor(after / 60_000) + 1) * 60_000;
  for (let time = start; time < start + minutes * 60_000; time += 60_000) {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type as string, value]));
    const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.get('weekday') ?? '');
    const values = names.map(name => (name === 'weekday' ? weekday : Number(parts.get(name))));
    const met = values.map((value, index) => meets(index, value));
    const day = isStar(2) || isStar(4) ? met[2] && met[4] : met[2] || met[4];
    if (met[0] && met[1] && day && met[3]) return time;
  }
  return undefined;
}

test(
  'the next run is the first minute that matches, in every zone, also where clocks are set',
  () => {
    const text = fc
      .tuple(field(0, 59), field(0, 23), field(1, 31), fc.constant('*'), field(0, 6))
      .map(all => all.join(' '));
    const moments = [
      Date.UTC(2026, 2, 7),
      Date.UTC(2026, 2, 28),
      Date.UTC(2026, 3, 4),
      Date.UTC(2026, 9, 3),
      Date.UTC(2026, 9, 31),
    ];
    const after = fc
      .tuple(fc.constantFrom(...moments), fc.nat(2 * 24 * 3600))
      .map(([day, second]) => day + second * 1000);
    fc.assert(
      fc.property(text, after, fc.constantFrom(...zones), (one, since, zone) => {
        const minutes = 24 * 60;
        const walked = walk(one, since, zone, minutes);
        const found = nextRun(schedule(one), since, zone);
        const limit = (Math.floor(since / 60_000) + 1 + minutes) * 60_000;
        expect(found !== undefined && found < limit ? found : undefined).toBe(walked);
      }),
      { numRuns: 60 },
    );
  },
  lawTimeout,
);
