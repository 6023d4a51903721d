import type { TrafficReport } from '../../traffic/traffic.ts';
import { type Counted, type CountedSlices, compareSlices, countedOf, oldCounted } from './compare-slices.ts';
import { type Decision, lookAgainSeconds } from './decision.ts';

export interface SoakInput {
  readonly report: TrafficReport;
  /** The new slices, which have the traffic. */
  readonly slices: readonly string[];
  readonly elapsed: number;
  readonly soakSeconds: number;
  /** What was counted since the soak began; undefined where the router does not count. */
  readonly watched?: CountedSlices | undefined;
  /** What the old slices did before; without it the limit is one on all errors. */
  readonly baseline?: Counted | undefined;
  readonly maxErrorPercent: number;
  /** A person, or the next change, ends it now. */
  readonly endNow?: boolean | undefined;
}

/** Whether the new slices did well enough, for long enough, for the old ones to go. More errors than may be end it at once. */
export function decideSoak(input: SoakInput): Decision {
  const { report, slices, elapsed, soakSeconds, watched = {}, baseline, maxErrorPercent, endNow } = input;
  const names = slices.join(', ');
  const others = Object.keys(watched).filter(slice => !slices.includes(slice));
  const old = oldCounted(countedOf(watched, others), baseline);
  const { verdict, says } = compareSlices(countedOf(watched, slices), old, maxErrorPercent);
  if (verdict === 'worse') {
    const message = `slice ${names} fails more than it may (${maxErrorPercent} points): ${says}`;
    return { failed: 'TooManyErrors', message };
  }
  const isServed = slices.length === 0 || slices.some(slice => (report.slices[slice]?.ready ?? 0) > 0);
  const isKept = Object.entries(report.slices).some(
    ([slice, { ready }]) => !slices.includes(slice) && ready > 0,
  );
  // What died by itself answers nobody, and is counted nowhere: the old slice stands ready.
  if (!isServed && isKept && !endNow)
    return { failed: 'NotReady', message: `no address of slice ${names} is ready any more` };
  const left = endNow ? 0 : soakSeconds - elapsed;
  if (left > 0) {
    const because = `the old slice is kept beside ${names} for ${soakSeconds} s`;
    return { wait: Math.min(left, watchSeconds(report)), because };
  }
  // The old slice is the way back for as long as the new one does not answer.
  return isServed
    ? { done: true }
    : { wait: lookAgainSeconds, because: `no address of slice ${names} is ready` };
}

/** A soak takes hours: it is looked at less often than a step, and as often as errors are told. */
function watchSeconds({ canWeigh }: TrafficReport): number {
  return canWeigh ? 5 * lookAgainSeconds : 60;
}
