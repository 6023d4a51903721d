import type { ClusterObject } from '../../cluster/cluster.ts';
import type { PartBundle, VersionSide } from '../phase-run.ts';
import { type ObjectPlace, prepareObject } from './prepare-object.ts';
import { isSliced, objectsOfPart, onlySlice, slicesOfPart } from './slices.ts';

/** One object of a side, ready to be written, and what it is for. */
export interface SideObject {
  readonly object: ClusterObject;
  readonly part: PartBundle;
  readonly role: PartBundle['objects'][number]['role'];
  readonly phases: PartBundle['objects'][number]['phases'];
  readonly moment?: PartBundle['objects'][number]['moment'];
  /** Whether it is there once a slice. */
  readonly sliced: boolean;
  readonly slice: string;
}

/**
 * The objects of a side, each once a slice where it has the slice in its name, part by part in the order they are installed. With `only`,
 * those of these slices and those that have none.
 */
export function sideObjects(side: VersionSide, only?: readonly string[]): readonly SideObject[] {
  return side.parts.flatMap(part =>
    objectsOfPart(part).flatMap(rendered => objectsOf(part, rendered, side, only)),
  );
}

function objectsOf(
  part: PartBundle,
  { object, role, phases, moment }: PartBundle['objects'][number],
  side: VersionSide,
  only: readonly string[] | undefined,
): SideObject[] {
  const slices = slicesOfPart(part, side);
  const common = { part, role, phases, ...(moment === undefined ? {} : { moment }) };
  if (!isSliced(object)) {
    const slice = sliceWithout(role, slices, only);
    const place = { slice, index: 0, slices: 1 };
    return [{ object: preparedOnce(part, object, place), ...common, sliced: false, slice }];
  }
  return slices.flatMap((slice, index) => {
    if (only && !only.includes(slice)) return [];
    const beside = slices.length > 2 ? { beside: slices.filter(other => other !== slice) } : {};
    const place = { slice, index, slices: slices.length, ...beside };
    return [{ object: preparedOnce(part, object, place), ...common, sliced: true, slice }];
  });
}

/** What was prepared before, by what it was rendered as: every pass asks for all objects of a side, and the same input gives the same bytes. */
const prepared = new WeakMap<object, Map<string, ClusterObject>>();

function preparedOnce(
  part: PartBundle,
  rendered: PartBundle['objects'][number]['object'],
  place: ObjectPlace,
): ClusterObject {
  const known = prepared.get(rendered) ?? new Map<string, ClusterObject>();
  prepared.set(rendered, known);
  const key = `${part.service} ${part.component} ${place.slice} ${place.index} ${place.slices}`;
  const object = known.get(key) ?? prepareObject(part, rendered, place);
  known.set(key, object);
  return object;
}

/** What has no slice in its name, in a part that has several slices, is of none of them; but a task is run for one. */
function sliceWithout(
  role: SideObject['role'],
  slices: readonly string[],
  only: readonly string[] | undefined,
): string {
  const asked = only ? slices.filter(slice => only.includes(slice)) : slices;
  if (role === 'task') return asked[0] ?? slices[0] ?? onlySlice;
  return slices.length === 1 ? (slices[0] ?? onlySlice) : onlySlice;
}

/** One text for one object of the cluster. */
export function keyOf({ object }: { readonly object: ClusterObject }): string {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return JSON.stringify([group, kind, metadata.namespace ?? '', metadata.name]);
}
