import { dayMatches, type Schedule, type WallTime } from './cron-schedule.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A schedule that names no day within these is never due: the 30th of February. */
const searchDays = 5 * 366;

/**
 * The last moment after `since` and not after `now` when a schedule is due, by the clock of UTC; undefined when there is none. Who missed
 * several is told of the last one only.
 */
export function lastDue(schedule: Schedule, since: number, now: number): number | undefined {
  if ('everyMilliseconds' in schedule) {
    const times = Math.floor((now - since) / schedule.everyMilliseconds);
    return times < 1 ? undefined : since + times * schedule.everyMilliseconds;
  }
  const first = Math.max(since, now - searchDays * day);
  let time = startOf(now, minute);
  while (time > first) {
    const wall = utc(time);
    if (!dayMatches(schedule, wall)) time = startOf(time, day) - minute;
    else if (!schedule.hour.has(wall.hour)) time = startOf(time, hour) - minute;
    else if (!schedule.minute.has(wall.minute)) time -= minute;
    else return time;
  }
  return undefined;
}

/** The first moment after another when a schedule is due, by the clock of UTC; undefined when it never is. `since`: what a fixed time counts from. */
export function nextDue(schedule: Schedule, since: number, after: number): number | undefined {
  if ('everyMilliseconds' in schedule) {
    const times = Math.max(0, Math.floor((after - since) / schedule.everyMilliseconds));
    return since + (times + 1) * schedule.everyMilliseconds;
  }
  const end = after + searchDays * day;
  let time = startOf(after, minute) + minute;
  while (time <= end) {
    const wall = utc(time);
    if (!dayMatches(schedule, wall)) time = startOf(time, day) + day;
    else if (!schedule.hour.has(wall.hour)) time = startOf(time, hour) + hour;
    else if (!schedule.minute.has(wall.minute)) time += minute;
    else return time;
  }
  return undefined;
}

function startOf(time: number, unit: number): number {
  return Math.floor(time / unit) * unit;
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
