import { foundSlice } from '../../api/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import type { PartBundle, PhaseRun, VersionSide } from '../phase-run.ts';

/** Stands for `${slice}` in rendered manifests until they are written: they are rendered once, and written for one slice or another. */
export const sliceMark = 'afloat0slice0mark';

/** The slice of what has no slice in its name. */
export const onlySlice = 'main';

/** Whether a part runs as it was found, under names of its own. */
export function isFound({ slices, found }: PartBundle): boolean {
  return slices?.length === 0 && found !== undefined;
}

/** The objects of a part as it runs, or shall. */
export function objectsOfPart(part: PartBundle): PartBundle['objects'] {
  return isFound(part) ? (part.found ?? []) : part.objects;
}

const controllers: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Whether an object is there once a slice. */
export function isSliced(object: JsonObject): boolean {
  return `${(object['metadata'] as { name?: unknown } | undefined)?.name}`.includes(sliceMark);
}

/** Whether the pods of a part can stand side by side in slices. */
export function hasSlices(part: PartBundle): boolean {
  return objectsOfPart(part).some(
    ({ object, role }) => role === 'workload' && isController(object) && isSliced(object),
  );
}

/** Kinds that keep pods running. */
export function isController(object: JsonObject): boolean {
  return controllers.has(`${object['kind']}`);
}

/** The slices of a part: its own, those of its side, or the one that everything without a slice in its name is in. */
export function slicesOfPart(part: PartBundle, side: VersionSide): readonly string[] {
  if (isFound(part)) return [foundSlice];
  return hasSlices(part) ? (part.slices ?? side.slices) : [onlySlice];
}

/**
 * The slices of a side that a move is about: all, or where it goes slice by slice the one with its number. An old slice goes when the new
 * one of its name comes; one that no new slice has the name of goes last, when enough of the others serve.
 */
export function slicesOfMove(run: PhaseRun, side: VersionSide): readonly string[] {
  const { slice } = run.move;
  if (slice === undefined) return side.slices;
  const walked = run.new.slices;
  if (side === run.new) return walked.slice(slice - 1, slice);
  const isLast = slice >= run.step.slices;
  return side.slices.filter(one => one === walked[slice - 1] || (isLast && !walked.includes(one)));
}

/** Which slices a flow brings, from what it does and what runs. Colours for what comes beside; numbers for what goes one by one. */
export function chooseSlices(
  how: { readonly strategy: string; readonly slices: number; readonly isRolling: boolean },
  running: readonly string[],
): readonly string[] {
  const numbered = Array.from({ length: how.slices }, (_, index) => `${index + 1}`);
  // What stands beside comes first: until it serves, nothing that serves is taken.
  if (how.strategy === 'rolling')
    return numbered.toSorted((a, b) => Number(running.includes(a)) - Number(running.includes(b)));
  const others = running.filter(slice => slice !== onlySlice);
  if (how.strategy === 'bluegreen') {
    const free = ['blue', 'green'].find(colour => !others.includes(colour));
    return [free ?? 'blue'];
  }
  if (others.length > 0) return how.strategy === 'recreate' ? others.slice(0, 1) : others;
  return how.isRolling ? numbered : ['blue'];
}

/** How many of so many replicas a slice has: the first ones take what is left over. */
export function shareOf(replicas: number, index: number, slices: number): number {
  return Math.floor(replicas / slices) + (index < replicas % slices ? 1 : 0);
}
