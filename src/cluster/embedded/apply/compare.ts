import { isObject, type Json, type JsonObject, sameJson } from '../../../base/json.ts';
import { everyField } from './every-field.ts';
import { branch, type FieldSet, leaf } from './field-set.ts';
import { itemsByElement, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';

/** The fields in which two values differ. */
export interface Comparison {
  /** Added, or with another value. */
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

const same: Comparison = { changed: undefined, removed: undefined };
const replaced: Comparison = { changed: leaf, removed: undefined };

/** Compares two values field by field, as ownership sees them. Either may be absent. */
export function compare(schema: MaybeSchema, before: Json | undefined, after: Json | undefined): Comparison {
  if (before === after) return same;
  if (before === undefined) return { changed: everyField(schema, after as Json), removed: undefined };
  if (after === undefined) return { changed: undefined, removed: everyField(schema, before) };
  // Null in the place of a map or list is one that was emptied.
  return compareValues(schema, before ?? emptyLike(after), after ?? emptyLike(before));
}

function compareValues(schema: MaybeSchema, before: Json, after: Json): Comparison {
  const [was, is] = [shapeOf(schema, before), shapeOf(schema, after)];
  if (was === 'leaf' || was !== is || (isEmpty(before) && isEmpty(after))) {
    return sameJson(before, after) ? same : replaced;
  }
  const parts: Parts = { changed: {}, removed: {} };
  if (Array.isArray(before) && Array.isArray(after)) compareLists(schema, before, after, parts);
  else if (isObject(before) && isObject(after)) compareMaps(schema, before, after, parts);
  return { changed: branch(parts.changed, false), removed: branch(parts.removed, false) };
}

function emptyLike(value: Json): Json {
  if (isEmpty(value)) return null;
  return Array.isArray(value) ? [] : isObject(value) ? {} : null;
}

interface Parts {
  readonly changed: Record<string, FieldSet>;
  readonly removed: Record<string, FieldSet>;
}

function compareLists(
  schema: MaybeSchema,
  before: readonly Json[],
  after: readonly Json[],
  parts: Parts,
): void {
  const [old, now] = [itemsByElement(schema, before), itemsByElement(schema, after)];
  for (const [element, item] of now) comparePart(schema?.items, element, old.get(element), item, parts);
  for (const [element, item] of old) {
    if (!now.has(element)) comparePart(schema?.items, element, item, undefined, parts);
  }
}

function compareMaps(schema: MaybeSchema, before: JsonObject, after: JsonObject, parts: Parts): void {
  for (const name of Object.keys(after)) {
    if (before[name] !== after[name]) {
      comparePart(schemaOfField(schema, name), `f:${name}`, before[name], after[name], parts);
    }
  }
  for (const name of Object.keys(before)) {
    if (after[name] === undefined)
      comparePart(schemaOfField(schema, name), `f:${name}`, before[name], undefined, parts);
  }
}

function comparePart(
  schema: MaybeSchema,
  element: string,
  before: Json | undefined,
  after: Json | undefined,
  parts: Parts,
): void {
  const { changed, removed } = compare(schema, before, after);
  if (changed) parts.changed[element] = changed;
  if (removed) parts.removed[element] = removed;
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}
