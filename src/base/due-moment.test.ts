import { describe, expect, it } from 'vitest';
import { parseSchedule, type Schedule } from './cron-schedule.ts';
import { lastDue, nextDue } from './due-moment.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const schedule = (text: string): Schedule => parseSchedule(text) ?? expect.unreachable(text);
const text = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

describe('what is due', () => {
  it.each([
    ['*/5 * * * *', '2026-01-01T00:07:30', '2026-01-01T00:05:00'],
    ['*/5 * * * *', '2026-01-01T00:05:00', '2026-01-01T00:05:00'],
    ['30 3 * * *', '2026-01-02T03:29:59', '2026-01-01T03:30:00'],
    ['0 0 1 * *', '2026-03-31T23:59:59', '2026-03-01T00:00:00'],
    ['0 4 * * mon', '2026-01-01T00:00:00', '2025-12-29T04:00:00'],
    ['0 0 29 2 *', '2026-01-01T00:00:00', '2024-02-29T00:00:00'],
  ])('%s was last due at or before %s at %s', (words, now, due) => {
    expect(text(lastDue(schedule(words), at('2020-01-01T00:00:00'), at(now)))).toBe(text(at(due)));
  });

  it('is nothing that was due when it was not yet asked for', () => {
    const since = at('2026-01-01T00:05:00');
    expect(lastDue(schedule('*/5 * * * *'), since, since + 299_000)).toBeUndefined();
    expect(lastDue(schedule('0 0 30 2 *'), 0, since)).toBeUndefined();
  });

  it('is next due after a moment, never at it', () => {
    const next = (words: string, after: string) => text(nextDue(schedule(words), 0, at(after)));
    expect(next('*/5 * * * *', '2026-01-01T00:05:00')).toBe('2026-01-01T00:10:00.000Z');
    expect(next('30 3 1 * *', '2026-01-01T03:30:00')).toBe('2026-02-01T03:30:00.000Z');
    expect(next('0 0 30 2 *', '2026-01-01T00:00:00')).toBeUndefined();
  });

  it('is due every so often, counted from when it was first asked for', () => {
    const since = at('2026-01-01T00:00:10');
    const every = schedule('@every 90s');
    expect(lastDue(every, since, since + 89_000)).toBeUndefined();
    expect(text(lastDue(every, since, since + 200_000))).toBe('2026-01-01T00:03:10.000Z');
    expect(text(nextDue(every, since, since + 200_000))).toBe('2026-01-01T00:04:40.000Z');
  });
});
