import { type PartRoute, routesOf } from '../object/routes.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove, slicesOfPart } from '../object/slices.ts';
import type { PhasePorts, PhaseRun, VersionSide } from '../phase-run.ts';
import { listedTasks } from './listed-tasks.ts';

/** One slice, and a way by which a test reaches it. */
export interface SliceByWay {
  readonly way: PartRoute;
  readonly slice: string;
}

/** The slices of a side that a move is about: of parts without slices, the one they are in. */
export function slicesAsked(run: PhaseRun, side: VersionSide): readonly string[] {
  const own = side.parts.flatMap(part => slicesOfPart(part, side));
  const asked = slicesOfMove(run, side).filter(slice => own.includes(slice));
  return asked.length > 0 ? asked : [...new Set(own)].slice(0, 1);
}

/** These slices, by every way that leads there. */
export function slicesByWay(
  run: PhaseRun,
  side: VersionSide,
  slices: readonly string[],
): readonly SliceByWay[] {
  return routesOf(run, side).flatMap(way =>
    slicesOfPart(way.part, side)
      .filter(slice => slices.includes(slice))
      .map(slice => ({ way, slice })),
  );
}

/** The slices that the tests of a side are run for, in a move. None without a test. */
export function slicesOfTest(run: PhaseRun, side: VersionSide): readonly string[] {
  const slices = slicesAsked(run, side);
  return listedTasks(sideObjects(side, slices), 'test').length > 0 ? slices : [];
}

/** The same, by every way that leads there. */
export function slicesUnderTest(run: PhaseRun, side: VersionSide): readonly SliceByWay[] {
  return slicesByWay(run, side, slicesOfTest(run, side));
}

/**
 * Makes the addresses of a test that follows, so that nodes hear of them while the slices get ready. The test makes sure of them again;
 * they go with their slices.
 */
export async function announceTest(run: PhaseRun, ports: PhasePorts, side: VersionSide): Promise<void> {
  for (const { way, slice } of slicesUnderTest(run, side)) await ports.traffic.preview(way.route, slice);
}
