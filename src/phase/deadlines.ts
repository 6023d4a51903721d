import type { PhaseRun } from './phase-run.ts';

/** So long a manager looks at what it took over before a deadline that passed meanwhile counts: the world goes on without it. */
const graceSeconds = 60;

type Times = Pick<PhaseRun, 'now' | 'startedAt' | 'claimedAt'>;

/** Whether a phase has taken longer than it may, and this manager has looked at it for long enough to say so. */
export function isOverdue(
  { now, startedAt, claimedAt = startedAt }: Times,
  deadlineSeconds: number,
): boolean {
  const grace = Math.min(deadlineSeconds, graceSeconds);
  return now - startedAt > deadlineSeconds * 1000 && now - claimedAt > grace * 1000;
}

/** Seconds for which somebody has watched what began at a moment: nobody did before this manager took it on. */
export function watchedSeconds({ now, claimedAt }: Times, since: number): number {
  return Math.max(0, (now - Math.max(since, claimedAt ?? since)) / 1000);
}

/** When a wait of so many seconds may end that would end at `until`: no sooner than this manager has looked at it for a while. */
export function noSoonerThanSeen(
  { startedAt, claimedAt = startedAt }: Times,
  until: number,
  lastsSeconds: number,
): number {
  const grace = Math.min(lastsSeconds, graceSeconds);
  return claimedAt > startedAt ? Math.max(until, claimedAt + grace * 1000) : until;
}
