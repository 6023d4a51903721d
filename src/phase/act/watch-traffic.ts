import type { TrafficStatus } from '../../api/phase-kinds.ts';
import type { TrafficReport } from '../../traffic/traffic.ts';
import { watchedSeconds } from '../deadlines.ts';
import type { Notes, Outcome, PhaseRun } from '../phase-run.ts';
import type { CountedSlices } from '../traffic/compare-slices.ts';

type SliceStatus = TrafficStatus['slices'][number];

/** Traffic as a phase watches it: the router's own word now, beside what was written down when the phase began. */
export interface WatchedTraffic {
  readonly status: TrafficStatus;
  /** What was counted since the phase began; undefined where the router does not count. */
  readonly watched: CountedSlices | undefined;
  /** Seconds since the shares were last changed, as far as somebody watched them. */
  readonly elapsedInStep: number;
}

/** Before a phase moves or judges traffic, what was counted so far is written down; undefined where that is done, or nobody counts. */
export function beginWatching(
  run: PhaseRun,
  notes: Notes,
  reports: readonly TrafficReport[],
): Outcome | undefined {
  // A router that weighs may count what it knows nothing of yet.
  if (run.traffic || !reports.some(report => report.canWeigh || hasCounts(report))) return undefined;
  notes.traffic = { slices: slicesOf(reports, undefined) };
  return {
    kind: 'wait',
    reason: 'TrafficCounted',
    message: 'Notes what was counted so far.',
    afterSeconds: 0,
  };
}

/** What the routers say now. Shares that are not those written down were set by a pass that was cut off: their time begins now. */
export function watchTraffic(run: PhaseRun, notes: Notes, reports: readonly TrafficReport[]): WatchedTraffic {
  const slices = slicesOf(reports, run.traffic);
  const known = new Map(run.traffic?.slices.map(({ slice, weight }) => [slice, weight]));
  const isSame = slices.every(({ slice, weight }) => (known.get(slice) ?? 0) === weight);
  const startedAt = isSame ? (run.traffic?.stepStartedAt ?? iso(run.startedAt)) : iso(run.now);
  const status = { stepStartedAt: startedAt, slices };
  notes.traffic = status;
  return {
    status,
    watched: reports.some(hasCounts)
      ? Object.fromEntries(slices.map(({ slice, requests, errors }) => [slice, { requests, errors }]))
      : undefined,
    elapsedInStep: watchedSeconds(run, Date.parse(startedAt)),
  };
}

/**
 * Notes whether the slices that lose their traffic are seen to get nothing new, and gives for how many seconds they are. A moment in
 * which they do again begins it anew.
 */
export function watchOut(run: PhaseRun, notes: Notes, isOut: boolean): number {
  if (!isOut || !notes.traffic) return 0;
  const isSameStep = notes.traffic.stepStartedAt === (run.traffic?.stepStartedAt ?? iso(run.startedAt));
  const outSince = (isSameStep ? run.traffic?.outSince : undefined) ?? iso(run.now);
  notes.traffic = { ...notes.traffic, outSince };
  return Math.max(0, (run.now - Date.parse(outSince)) / 1000);
}

function hasCounts({ slices }: TrafficReport): boolean {
  return Object.values(slices).some(one => one.counts);
}

/** The shares were set just now. */
export function noteStep(run: PhaseRun, notes: Notes, weights: Readonly<Record<string, number>>): void {
  const slices = notes.traffic?.slices ?? [];
  const named = Object.keys(weights).filter(name => !slices.some(({ slice }) => slice === name));
  notes.traffic = {
    stepStartedAt: iso(run.now),
    slices: [
      ...slices.map(one => ({ ...one, weight: weights[one.slice] ?? 0 })),
      ...named.map(slice => ({ slice, weight: weights[slice] ?? 0, requests: 0, errors: 0 })),
    ],
  };
}

/** Slice by slice over all routes, with what was counted since the base. */
function slicesOf(reports: readonly TrafficReport[], before: TrafficStatus | undefined): SliceStatus[] {
  const names = [...new Set(reports.flatMap(({ slices }) => Object.keys(slices)))].sort();
  return names.map(slice => {
    const found = reports.flatMap(report => report.slices[slice] ?? []);
    const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((all, one) => all + of(one), 0);
    const [requests, errors] = [sum(one => one.counts?.requests ?? 0), sum(one => one.counts?.errors ?? 0)];
    const base = before?.slices.find(one => one.slice === slice);
    const isFirst = base?.baseRequests === undefined || base.baseErrors === undefined;
    // Counts that begin anew, after a manager was replaced, are counted from there.
    const baseRequests = isFirst ? (before ? 0 : requests) : Math.min(base.baseRequests ?? 0, requests);
    const baseErrors = isFirst ? (before ? 0 : errors) : Math.min(base.baseErrors ?? 0, errors);
    return {
      slice,
      weight: Math.max(0, ...found.map(one => one.weight)),
      requests: requests - baseRequests,
      errors: errors - baseErrors,
      baseRequests,
      baseErrors,
      inFlight: sum(one => one.counts?.inFlight ?? 0),
    };
  });
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
