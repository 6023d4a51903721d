import type { SliceReport, TrafficReport } from '../../traffic/traffic.ts';
import { type DrainDecision, lookAgainSeconds, weightsOf } from './decision.ts';
import { outOfWhole } from './share-out.ts';

export interface DrainInput {
  readonly report: TrafficReport;
  /** Who gets no more. */
  readonly slices: readonly string[];
  /** Seconds since the shares were last set. */
  readonly elapsed: number;
  /** Seconds since all of the slices are seen to get nothing new. */
  readonly elapsedOut: number;
  /** How long requests in flight may take. */
  readonly drainSeconds: number;
  /** How long an endpoint that was taken out may still get requests, where the router cannot tell. */
  readonly settleSeconds: number;
  /** The package lets requests be cut that take longer. */
  readonly cutsAtDeadline: boolean;
  /** A person saw this number of requests in flight and lets them be cut. */
  readonly canBeCut?: number | undefined;
}

/** A slice that is being drained, and what is known of it. */
type Leaving = SliceReport & { readonly name: string };

/**
 * The next thing to do to take traffic from slices. Their shares go to the others in proportion; then what is in flight is waited for. A
 * request is cut only where the package or a person said so, and only when the time is over.
 */
export function decideDrain(input: DrainInput): DrainDecision {
  const { report, slices } = input;
  if (!report.exists) return { done: true };
  const weights = weightsOf(report);
  if (slices.some(slice => (weights[slice] ?? 0) > 0)) return takeShares(input);
  const leaving = slices.flatMap((name): Leaving[] => {
    const found = report.slices[name];
    return found && found.out !== 'yes' ? [{ ...found, name }] : [];
  });
  if (leaving.length === 0) return { done: true };
  return leaving.every(({ out }) => out === 'unknown') ? settle(input, leaving) : finish(input, leaving);
}

function takeShares({ report, slices }: DrainInput): DrainDecision {
  const others = Object.entries(weightsOf(report)).filter(([slice]) => !slices.includes(slice));
  if (others.length === 0) return { set: {} };
  const isServed = others.some(([slice]) => (report.slices[slice]?.ready ?? 0) > 0);
  if (!isServed) {
    const names = others.map(([slice]) => slice).join(', ');
    return { wait: lookAgainSeconds, because: `no address of slice ${names} is ready to take over` };
  }
  return { set: outOfWhole(Object.fromEntries(others)) };
}

/** A node goes on sending to an address that is no endpoint any more until its own rules are made anew, which nobody tells us. */
const leastSettleSeconds = 3;

/** Nobody sees what is in flight: the time that it may take is waited for, from when its end was seen and not from when it was asked for. */
function settle(
  { elapsedOut, drainSeconds, settleSeconds }: DrainInput,
  leaving: readonly Leaving[],
): DrainDecision {
  const seconds = Math.max(settleSeconds, leastSettleSeconds) + drainSeconds;
  const left = seconds - elapsedOut;
  if (left <= 0) return { done: true };
  const because = `slice ${namesOf(leaving)} gets no more; nobody counts what is in flight, so it is given ${seconds} s to finish`;
  return { wait: left, because };
}

/** Somebody sees what is in flight, or that new requests still come. */
function finish(input: DrainInput, leaving: readonly Leaving[]): DrainDecision {
  const { elapsed, drainSeconds, cutsAtDeadline, canBeCut } = input;
  const inFlight = leaving.reduce((sum, { counts }) => sum + (counts?.inFlight ?? 0), 0);
  const names = namesOf(leaving);
  const left = drainSeconds - elapsed;
  if (left > 0) {
    const because = `${sayGoingOn(names, inFlight)}; it has ${drainSeconds} s from when its traffic was taken`;
    return { wait: Math.min(left, lookAgainSeconds), because };
  }
  // Where none is seen and it is not out, the router may send it something new: that is not for the package to cut.
  if (inFlight > 0 && (cutsAtDeadline || inFlight <= (canBeCut ?? 0))) return { done: true, cut: inFlight };
  const asks =
    inFlight > 0
      ? `it stays until they end, unless you accept that ${inFlight} ${inFlight === 1 ? 'is' : 'are'} cut`
      : 'it stays until it gets no more; look for another Service or a preview that leads to its Pods';
  return {
    overdue: inFlight,
    message: `${sayGoingOn(names, inFlight)} after ${drainSeconds} s: ${asks}`,
    wait: lookAgainSeconds,
  };
}

function sayGoingOn(names: string, inFlight: number): string {
  if (inFlight === 0) return `slice ${names} may still get requests`;
  return `${inFlight} ${inFlight === 1 ? 'request is' : 'requests are'} in flight to slice ${names}`;
}

function namesOf(leaving: readonly Leaving[]): string {
  return leaving.map(({ name }) => name).join(', ');
}
