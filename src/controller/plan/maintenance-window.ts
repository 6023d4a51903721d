import type { RecordSpec } from '../../api/openstack-deployment.ts';

type Window = RecordSpec['maintenanceWindows'][number];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const minute = 60_000;
const day = 24 * 60 * minute;

/** Whether something may be done now that takes so many seconds: any time where no windows are given. */
export function hasOpenWindow(windows: readonly Window[], now: number, neededSeconds: number): boolean {
  return windows.length === 0 || windows.some(window => windowIsOpen(window, now, neededSeconds));
}

/**
 * Whether a window is open now, and stays open for so many seconds. It opens at the hour of its own time zone and lasts as long as it says,
 * also where clocks are changed meanwhile.
 */
export function windowIsOpen(window: Window, now: number, neededSeconds: number): boolean {
  const today = dateAt(now, window);
  const lasts = window.durationMinutes * minute;
  // A window may reach over midnight, and a long one over days: look at each day it may have opened on.
  for (let date = today; date >= today - lasts - day; date -= day) {
    const opens = opensOn(window, date);
    const left = opens === undefined ? 0 : opens + lasts - now;
    if (opens !== undefined && now >= opens && left > 0 && left >= neededSeconds * 1000) return true;
  }
  return false;
}

/** When a window opens next that stays open for so many seconds; undefined where none is long enough. */
export function opensNext(
  windows: readonly Window[],
  now: number,
  neededSeconds: number,
): number | undefined {
  const [first] = windows
    .filter(({ durationMinutes }) => durationMinutes * 60 >= neededSeconds)
    .flatMap(window => openingsAfter(window, now))
    .toSorted((a, b) => a - b);
  return first;
}

/** Each day of the week comes again within eight dates. */
function openingsAfter(window: Window, now: number): number[] {
  const today = dateAt(now, window);
  const dates = Array.from({ length: 9 }, (_, index) => today + (index - 1) * day);
  return dates.map(date => opensOn(window, date) ?? 0).filter(opens => opens > now);
}

/** The date that clocks of a window's zone show, as if it were one of UTC. */
function dateAt(now: number, { timeZone }: Window): number {
  return Math.floor((now + offsetAt(now, timeZone)) / day) * day;
}

/** The moment a window opens on a date; undefined where that is none of its days. */
function opensOn({ days: own, start, timeZone }: Window, date: number): number | undefined {
  const name = days[new Date(date).getUTCDay()];
  if (name === undefined || !own.includes(name)) return undefined;
  const [hours = 0, past = 0] = start.split(':').map(Number);
  return momentOf(date + (hours * 60 + past) * minute, timeZone);
}

/** The moment at which clocks of a zone show this; where they skip it, the one as long after the change. */
function momentOf(local: number, timeZone: string): number {
  const guess = local - offsetAt(local, timeZone);
  return local - offsetAt(guess, timeZone);
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const whole = Math.floor(moment / minute) * minute;
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  }).formatToParts(whole);
  const part = (type: string) => Number(parts.find(one => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - whole;
}
