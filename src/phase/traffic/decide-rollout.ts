import type { TrafficReport, Weights } from '../../traffic/traffic.ts';
import { type Counted, type CountedSlices, compareSlices, countedOf, oldCounted } from './compare-slices.ts';
import { type Decision, lookAgainSeconds, weightsOf } from './decision.ts';
import { percentOf, shareOut, wholeShare } from './share-out.ts';

/** How a package wants traffic to be given. */
export interface RolloutPlan {
  /** Shares in percent that new slices get before all of it, where the router can weigh. */
  readonly weights: readonly number[];
  readonly stepSeconds: number;
  readonly maxErrorPercent: number;
}

export interface RolloutInput {
  readonly report: TrafficReport;
  /** The shares before the phase began. */
  readonly from: Weights;
  /** Who is given traffic. */
  readonly slices: readonly string[];
  readonly plan: RolloutPlan;
  /** Seconds since the shares were last set. */
  readonly elapsedInStep: number;
  /** What was counted since the phase or the step began; undefined where the router does not count. */
  readonly watched?: CountedSlices | undefined;
  /** What those who served did before the phase began. */
  readonly baseline?: Counted | undefined;
  /**
   * The share that new slices have in the end, where the router can weigh: 100 unless said otherwise. A slice of a rolling change gets
   * its part beside the others.
   */
  readonly finalPercent?: number;
  /** How long a slice may have no address that is ready before that is a failure. Without it, it is waited for. */
  readonly patienceSeconds?: number;
}

/** One share on the way, and the shares of all that make it. */
interface Step {
  readonly percent: number;
  readonly weights: Weights;
}

/** Shares that were read back may be off by what rounding did. */
const rounding = 0.5;

/**
 * The next thing to do to give traffic to slices: share by share where the router can weigh, and beside the others, all alike, where it
 * cannot (whoever takes traffic from those leaves the new ones alone). Every share is watched; more errors than the plan allows
 * end it at once, in whichever second of a step.
 */
export function decideRollout(input: RolloutInput): Decision {
  const { report, slices, plan, elapsedInStep } = input;
  if (slices.length === 0) return { done: true };
  if (!report.exists) return { wait: lookAgainSeconds, because: 'the route is not there yet' };
  const worse = tooManyErrors(input);
  if (worse !== undefined) return { failed: 'TooManyErrors', message: worse };
  const unready = slices.filter(slice => (report.slices[slice]?.ready ?? 0) === 0);
  if (unready.length > 0) {
    const { patienceSeconds } = input;
    if (patienceSeconds !== undefined && elapsedInStep > patienceSeconds) {
      const message = `no address of slice ${unready.join(', ')} was ready for ${patienceSeconds} s`;
      return { failed: 'NotReady', message };
    }
    return { wait: lookAgainSeconds, because: `no address of slice ${unready.join(', ')} is ready` };
  }
  const steps = stepsOf(input);
  const weights = weightsOf(report);
  const isServed = slices.every(slice => (weights[slice] ?? 0) > 0);
  const percent = isServed ? percentOf(weights, slices) : 0;
  const reached = steps.filter(step => percent >= step.percent - rounding).length;
  const left = plan.stepSeconds - elapsedInStep;
  if (reached > 0 && left > 0) {
    const because = `slice ${slices.join(', ')} has ${Math.round(percent)} % of the traffic and is watched for ${plan.stepSeconds} s`;
    return { wait: Math.min(left, lookAgainSeconds), because };
  }
  const next = steps[reached];
  return next ? { set: next.weights } : { done: true };
}

/** The shares to walk through, each larger than the one before. */
function stepsOf({ report, from, slices, plan, finalPercent = wholeShare }: RolloutInput): readonly Step[] {
  const others = Object.entries(from).filter(([slice, weight]) => weight > 0 && !slices.includes(slice));
  const step = (percent: number, rest: Weights): Step => {
    const weights = shareOut(percent, slices, rest);
    return { percent: percentOf(weights, slices), weights };
  };
  if (others.length === 0) return [step(wholeShare, {})];
  const beside = (wholeShare * slices.length) / (slices.length + others.length);
  if (!report.canWeigh) return [step(beside, Object.fromEntries(others.map(([slice]) => [slice, 1])))];
  // A Service cannot let go of the one it selects and take in several others in one moment: both stand beside each other first.
  const before = plan.weights.length === 0 && slices.length > 1 ? [beside] : plan.weights;
  const shares = [...before.filter(share => share > 0 && share < finalPercent), finalPercent];
  const steps = shares.sort((a, b) => a - b).map(share => step(share, from));
  return steps.filter(({ percent }, index) => percent !== steps[index - 1]?.percent);
}

/** Both rates in a sentence, where the new slices fail more than they may. */
function tooManyErrors({ watched, slices, baseline, plan }: RolloutInput): string | undefined {
  if (!watched) return undefined;
  const others = Object.keys(watched).filter(slice => !slices.includes(slice));
  const old = oldCounted(countedOf(watched, others), baseline);
  const { verdict, says } = compareSlices(countedOf(watched, slices), old, plan.maxErrorPercent);
  if (verdict !== 'worse') return undefined;
  return `slice ${slices.join(', ')} fails more than it may (${plan.maxErrorPercent} points): ${says}`;
}
