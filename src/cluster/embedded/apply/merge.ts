import { isObject, type Json, setKey } from '../../../base/json.ts';
import { untyped } from '../objects/refusals.ts';
import { itemsByElement, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';

/** Lays an applied value over the one that is there: maps by key, lists by item, everything else as a whole. */
export function mergeApplied(schema: MaybeSchema, live: Json | undefined, applied: Json): Json {
  const shape = shapeOf(schema, applied);
  if (live === undefined || shape === 'leaf' || shapeOf(schema, live) !== shape) return applied;
  if (Array.isArray(applied) && Array.isArray(live)) return mergeLists(schema, live, applied);
  if (!isObject(applied) || !isObject(live)) return applied;
  const merged: Record<string, Json> = { ...live };
  for (const [name, item] of Object.entries(applied)) {
    setKey(merged, name, mergeApplied(schemaOfField(schema, name), live[name], item));
  }
  return merged;
}

/**
 * The order of the applied list, with what only the other one has between its neighbours: step by step as the library of the
 * API server does it (structured-merge-diff, `visitListItems`), so that both give the same list.
 */
function mergeLists(schema: MaybeSchema, live: readonly Json[], applied: readonly Json[]): Json {
  const [theirs, ours] = [itemsByElement(schema, live), itemsByElement(schema, applied)];
  const [left, right] = [[...theirs.keys()], [...ours.keys()]];
  const shared = right.filter(element => theirs.has(element));
  const merged: Json[] = [];
  const done = new Set<string>();
  let [l, r] = [0, 0];
  const take = (element: string) => {
    const item = ours.get(element);
    done.add(element);
    if (item !== undefined) merged.push(mergeApplied(schema?.items, theirs.get(element), item));
    if (shared[0] === element) shared.shift();
    r += 1;
  };
  while (l < left.length || r < right.length) {
    const [old, next] = [left[l], right[r]];
    if (old !== undefined && old === next) {
      take(old);
      l += 1;
    } else if (
      old !== undefined &&
      next !== undefined &&
      ours.has(old) &&
      shared.length > 0 &&
      shared[0] !== old
    ) {
      l += 1; // both have it, but another comes first
    } else if (old !== undefined && !ours.has(old)) {
      merged.push(theirs.get(old) as Json);
      l += 1;
    } else {
      if (old !== undefined && done.has(old)) l += 1;
      if (next !== undefined) take(next);
    }
  }
  return merged;
}

/** Refuses an applied value in which an item is there twice: it could not be said whose value counts. */
export function refuseDuplicates(schema: MaybeSchema, value: Json, path = ''): void {
  if (Array.isArray(value)) {
    if (shapeOf(schema, value) === 'list' && itemsByElement(schema, value).size < value.length) {
      throw untyped(`${path}: duplicate entries`);
    }
    for (const item of value as readonly Json[]) refuseDuplicates(schema?.items, item, path);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      refuseDuplicates(schemaOfField(schema, name), item, `${path}.${name}`);
    }
  }
}
