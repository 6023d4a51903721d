import { dayMatches, type Schedule, type WallTime } from '../../../base/cron-schedule.ts';

const minuteMilliseconds = 60_000;
/** A schedule that names no day within these is never due: the 30th of February. */
const searchMilliseconds = 5 * 366 * 24 * 60 * minuteMilliseconds;
/** No clock is ever set by more hours than this. */
const mostShiftHours = 3;

/** Whether a machine knows a time zone of that name. */
export function isTimeZone(zone: string): boolean {
  try {
    return wallClockOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The first moment after another when a schedule is due, by the clocks of a time zone; undefined when it never is. An hour
 * that a clock leaves out has no runs, one that it shows twice has them twice.
 */
export function nextRun(schedule: Schedule, after: number, zone: string): number | undefined {
  if ('everyMilliseconds' in schedule) {
    return Math.floor(after / 1000) * 1000 + schedule.everyMilliseconds;
  }
  const clock = wallClockOf(zone);
  const end = after + searchMilliseconds;
  let time = (Math.floor(after / minuteMilliseconds) + 1) * minuteMilliseconds;
  while (time <= end) {
    const wall = clock(time);
    if (!dayMatches(schedule, wall)) time += toNextDay(wall) * minuteMilliseconds;
    else if (!schedule.hour.has(wall.hour)) time += (60 - wall.minute) * minuteMilliseconds;
    else if (!schedule.minute.has(wall.minute)) time += minuteMilliseconds;
    else return time;
  }
  return undefined;
}

/** Minutes that surely lie before the next day, or just up to the next hour when it is near. */
function toNextDay({ hour, minute }: WallTime): number {
  const hours = 23 - hour - mostShiftHours;
  return Math.max(0, hours) * 60 + 60 - minute;
}

/** The moment as text with the offset of the zone: `2026-03-29T03:00:00+02:00`. */
export function zonedTimestamp(time: number, zone: string): string {
  const wall = wallClockOf(zone)(time);
  const year = Number(
    formatOf(zone)
      .formatToParts(time)
      .find(({ type }) => type === 'year')?.value,
  );
  const asUtc = Date.UTC(
    year,
    wall.month - 1,
    wall.day,
    wall.hour,
    wall.minute,
    new Date(time).getUTCSeconds(),
  );
  const offset = Math.round((asUtc - time) / minuteMilliseconds);
  const text = new Date(asUtc).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${text}${offset > 0 ? '+' : '-'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** What clocks in a zone show. UTC needs no tables. */
function wallClockOf(zone: string): (time: number) => WallTime {
  if (zone === 'UTC' || zone === 'Etc/UTC') return utc;
  const format = formatOf(zone);
  return time => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const [year, month, day] = [part('year'), part('month'), part('day')];
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    return { minute: part('minute'), hour: part('hour'), day, month, weekday };
  };
}

function utc(time: number): WallTime {
  const date = new Date(time);
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
  };
}
