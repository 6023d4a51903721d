import type { Weights } from '../../traffic/traffic.ts';
import type { PhasePorts } from '../phase-run.ts';
import { weightsOf } from '../traffic/decision.ts';
import { shareOut, wholeShare } from '../traffic/share-out.ts';
import type { SeenWay } from './observe-ways.ts';

/**
 * Gives traffic back to the slices of the revision where somebody else moved it, by the Service's selector say, and returns which Services
 * that were. Slices that are not ready are given none: who serves instead of them goes on.
 */
export async function repairTraffic(
  seen: readonly SeenWay[],
  { traffic }: Pick<PhasePorts, 'traffic'>,
): Promise<readonly string[]> {
  const repaired: string[] = [];
  for (const one of seen) {
    const weights = sharesBack(one);
    if (!weights) continue;
    await traffic.setWeights(one.way.route, weights);
    repaired.push(`Service ${one.way.route.service}`);
  }
  return repaired;
}

/** The shares that lead back to what the revision says; undefined where it is so, or where that would leave clients without an answer. */
function sharesBack({ slices, report }: SeenWay): Weights | undefined {
  const now = weightsOf(report);
  const isServed = slices.some(slice => (now[slice] ?? 0) > 0);
  const others = Object.fromEntries(Object.entries(now).filter(([slice]) => !slices.includes(slice)));
  const isAsWanted = isServed && Object.keys(others).length === 0;
  const isReady = slices.every(slice => (report.slices[slice]?.ready ?? 0) > 0);
  if (!report.exists || isAsWanted || slices.length === 0 || !isReady) return undefined;
  // A Service cannot let go of the one it selects and take in several others in one moment: both stand beside each other first.
  const isFirst = !isServed && slices.length > 1;
  return isFirst
    ? shareOut((wholeShare * slices.length) / (slices.length + Object.keys(others).length), slices, others)
    : shareOut(wholeShare, slices, {});
}
