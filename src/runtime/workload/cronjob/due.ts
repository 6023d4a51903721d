import type { Schedule } from '../../../base/cron-schedule.ts';
import { nextRun } from './next-run.ts';

/** The run that is due: only the last of those that were missed. */
export interface Due {
  readonly time: number | undefined;
  readonly isTooManyMissed: boolean;
}

/** More missed runs than this are worth a word. */
const manyMissed = 100;

/** The last moment after `since` and not after `now` when the schedule was due. */
export function lastDue(
  schedule: Schedule,
  [since, now]: readonly [since: number, now: number],
  zone: string,
): Due {
  const first = nextRun(schedule, since, zone);
  if (first === undefined || first > now) return { time: undefined, isTooManyMissed: false };
  const second = nextRun(schedule, first, zone);
  if (second === undefined || second > now) return { time: first, isTooManyMissed: false };
  // How many there were is an estimate: a year of minutes is not counted one by one.
  const distance = second - first;
  const missed = Math.floor((now - first) / distance) + 1;
  let time = first;
  for (
    let next = nextRun(schedule, Math.max(first, first + (missed - 2) * distance), zone);
    next !== undefined && next <= now;
    next = nextRun(schedule, next, zone)
  ) {
    time = next;
  }
  return { time, isTooManyMissed: missed > manyMissed };
}
