import { isObject, type Json, setKey } from '../../../base/json.ts';
import { untyped } from '../objects/refusals.ts';
import { type FieldSet, isMember } from './field-set.ts';
import {
  elementOf,
  isNamedField,
  itemsByElement,
  type MaybeSchema,
  schemaOfField,
  shapeOf,
} from './field-shape.ts';

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

/** The order is that of the applied list; what only the other has keeps its place between its neighbours. */
function mergeLists(schema: MaybeSchema, live: readonly Json[], applied: readonly Json[]): Json {
  const [theirs, ours] = [itemsByElement(schema, live), itemsByElement(schema, applied)];
  const merged: Json[] = [];
  const rest = [...ours.keys()];
  const done = new Set<string>();
  const takeNext = () => {
    const element = rest.shift();
    const item = element === undefined ? undefined : ours.get(element);
    if (element === undefined || item === undefined) return;
    done.add(element);
    merged.push(mergeApplied(schema?.items, theirs.get(element), item));
  };
  for (const item of live) {
    const element = elementOf(schema, item);
    if (!ours.has(element)) merged.push(item);
    else while (!done.has(element)) takeNext();
  }
  while (rest.length > 0) takeNext();
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

/**
 * Takes away what was applied before (`last`) and that nobody owns any more (`owned` is what all own now). A field with
 * something below it that is still owned stays.
 */
export function removeUnowned(
  schema: MaybeSchema,
  value: Json,
  last: FieldSet,
  owned: FieldSet | undefined,
): Json | undefined {
  const shape = shapeOf(schema, value);
  if (shape === 'leaf') return value;
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).flatMap(item => {
      const element = elementOf(schema, item);
      const left = leftOf(schema?.items, item, last[element], owned?.[element], false);
      return left === undefined ? [] : [left];
    });
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    const element = `f:${name}`;
    const left = leftOf(
      schemaOfField(schema, name),
      item,
      last[element],
      owned?.[element],
      isNamedField(schema, name),
    );
    if (left !== undefined) setKey(kept, name, left);
  }
  return Object.keys(kept).length === 0 && Object.keys(value).length > 0 ? undefined : kept;
}

function leftOf(
  schema: MaybeSchema,
  item: Json,
  last: FieldSet | undefined,
  owned: FieldSet | undefined,
  isNamed: boolean,
): Json | undefined {
  if (!last) return item;
  if (!owned && (isNamed || isMember(last))) return undefined;
  return removeUnowned(schema, item, last, owned);
}
