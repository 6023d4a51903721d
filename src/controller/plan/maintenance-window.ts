import type { RecordSpec } from '../../api/openstack-deployment.ts';

type Window = RecordSpec['maintenanceWindows'][number];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const minute = 60_000;
const dayMinutes = 24 * 60;

/** Whether a window is open now, and stays open for so many seconds. Its hours are those of its own time zone. */
export function windowIsOpen(window: Window, now: number, neededSeconds: number): boolean {
  const { day, minutes } = localTime(now, window.timeZone);
  const [hours = 0, past = 0] = window.start.split(':').map(Number);
  const opens = hours * 60 + past;
  // A window may reach over midnight, and a long one over days: look at each day it may have opened on.
  for (let back = 0; back * dayMinutes <= window.durationMinutes + dayMinutes; back++) {
    const name = days[(((day - back) % 7) + 7) % 7];
    if (name === undefined || !window.days.includes(name)) continue;
    const sinceOpening = back * dayMinutes + minutes - opens;
    const left = window.durationMinutes - sinceOpening;
    if (sinceOpening >= 0 && left > 0 && left * 60 >= neededSeconds) return true;
  }
  return false;
}

function localTime(now: number, timeZone: string): { readonly day: number; readonly minutes: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(Math.floor(now / minute) * minute));
  const part = (type: string) => parts.find(one => one.type === type)?.value ?? '';
  const day = days.findIndex(name => part('weekday').toLowerCase().startsWith(name));
  return { day, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
}
