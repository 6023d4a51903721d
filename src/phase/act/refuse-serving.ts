import { routesOf } from '../object/routes.ts';
import { hasSlices } from '../object/slices.ts';
import { slicesOfWay } from '../object/ways.ts';
import type { Outcome, PhasePorts, PhaseRun, VersionSide } from '../phase-run.ts';

/**
 * Why the slices of a move must not be touched: one of them serves clients by the router's own word, whatever the revision says.
 * Undefined where none does. What replaces its pods one by one has no slice to look at.
 */
export async function refuseServing(
  run: PhaseRun,
  ports: PhasePorts,
  side: VersionSide,
  isSpared: (slice: string) => boolean = () => false,
): Promise<Outcome | undefined> {
  for (const way of routesOf(run, side)) {
    if (!hasSlices(way.part) && run.step.strategy === 'rolling') continue;
    const { slices } = await ports.traffic.observe(way.route);
    const serving = slicesOfWay(run, side, way).find(
      slice => !isSpared(slice) && (slices[slice]?.weight ?? 0) > 0,
    );
    if (serving === undefined) continue;
    const message = `Slice ${serving} of ${way.route.service} serves clients, so it is neither changed nor removed. See who serves: afloat status ${run.service}`;
    return { kind: 'failed', reason: 'SliceServes', message };
  }
  return undefined;
}
