import type { PhaseRun, VersionSide } from '../phase-run.ts';
import { type PartRoute, routesOf } from './routes.ts';
import { hasSlices, slicesOfMove, slicesOfPart } from './slices.ts';

/** The ways on which a move can tell slices apart. What has none replaces its pods one by one, and each is drained as it ends. */
export function waysOf(run: PhaseRun, side: VersionSide): readonly PartRoute[] {
  return routesOf(run, side).filter(
    ({ part }) => hasSlices(part) || run.move.slice === undefined || run.step.strategy !== 'rolling',
  );
}

/** The slices of one part that a move is about. */
export function slicesOfWay(run: PhaseRun, side: VersionSide, { part }: PartRoute): readonly string[] {
  const own = slicesOfPart(part, side);
  return hasSlices(part) ? slicesOfMove(run, side).filter(slice => own.includes(slice)) : own;
}
