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
  const { timeZone, durationMinutes } = window;
  const today = Math.floor((now + offsetAt(now, timeZone)) / day) * day;
  const [hours = 0, past = 0] = window.start.split(':').map(Number);
  const lasts = durationMinutes * minute;
  // A window may reach over midnight, and a long one over days: look at each day it may have opened on.
  for (let date = today; date >= today - lasts - day; date -= day) {
    const name = days[new Date(date).getUTCDay()];
    if (name === undefined || !window.days.includes(name)) continue;
    const opens = momentOf(date + (hours * 60 + past) * minute, timeZone);
    const left = opens + lasts - now;
    if (now >= opens && left > 0 && left >= neededSeconds * 1000) return true;
  }
  return false;
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
