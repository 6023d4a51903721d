import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject, sameJson, setKey } from '../../../base/json.ts';
import { builtinName } from '../kinds/builtin-schema.ts';
import { listMergeOf, replacedMaps } from '../kinds/list-merge.ts';
import { badRequest } from '../objects/refusals.ts';

const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

/** An object after a strategic merge patch, by the schema of its kind. What the patch does not touch is shared with the object. */
export function applyStrategicPatch(
  schema: StructuralSchema,
  object: JsonObject,
  patch: JsonObject,
): JsonObject {
  if (!isObject(patch)) throw badRequest('a strategic merge patch must be an object');
  return mergeMap(schema, object, patch);
}

/** A map after a patch; its `$patch` may say that it is another map, or none. */
function mergeMap(schema: StructuralSchema | undefined, under: JsonObject, patch: JsonObject): JsonObject {
  const { $patch: directive, $retainKeys: retained, ...over } = patch;
  if (directive === 'replace') return over;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive);
  const merged: Record<string, Json> = { ...retainedOf(under, retained) };
  for (const field of Object.keys(over)) {
    if (field.startsWith(orderPrefix) || field.startsWith(deletePrefix)) continue;
    const value = over[field] as Json;
    if (value === null) delete merged[field];
    else
      setKey(
        merged,
        field,
        mergeValue(schema, field, Object.hasOwn(merged, field) ? merged[field] : undefined, over),
      );
  }
  for (const field of Object.keys(over)) {
    if (field.startsWith(deletePrefix)) deleteValues(merged, field.slice(deletePrefix.length), over[field]);
  }
  // An order may be said of a list of which nothing else is; without one the order is that of the patch.
  const lists = Object.keys(over).map(field => field.replace(orderPrefix, ''));
  for (const field of new Set(lists)) reorder(schema, merged, field, { under, over });
  return merged;
}

function retainedOf(under: JsonObject, retained: Json | undefined): JsonObject {
  if (retained === undefined) return under;
  if (!Array.isArray(retained)) throw badRequest('$retainKeys must be a list');
  return Object.fromEntries(Object.entries(under).filter(([key]) => retained.includes(key)));
}

function mergeValue(
  schema: StructuralSchema | undefined,
  field: string,
  below: Json | undefined,
  over: JsonObject,
): Json {
  const value = over[field] as Json;
  const own = fieldSchema(schema, field);
  if (isObject(value)) {
    const isReplaced = replacedMaps.includes(`${schema && builtinName(schema)}.${field}`);
    return mergeMap(own, isObject(below) && !isReplaced ? below : {}, value);
  }
  if (!Array.isArray(value)) return value;
  return mergeList(schema, field, Array.isArray(below) ? below : [], value);
}

function mergeList(
  schema: StructuralSchema | undefined,
  field: string,
  under: readonly Json[],
  over: readonly Json[],
): Json[] {
  const merge = listMergeOf(schema, field);
  if (merge.by === 'whole') return over.map(item => withoutNulls(item));
  if (merge.by === 'value')
    return [...under, ...over.filter(item => !under.some(one => sameJson(one, item)))];
  const items = over.map(item => keyedItem(item, merge.key, field));
  if (items.some(({ $patch }) => $patch === 'replace')) {
    return items
      .filter(item => Object.keys(item).some(name => name !== '$patch'))
      .map(({ $patch: _, ...item }) => item);
  }
  const merged = [...under];
  for (const item of items) {
    const at = merged.findIndex(one => isObject(one) && sameJson(one[merge.key], item[merge.key]));
    const there = merged[at];
    if (item['$patch'] === 'delete') {
      if (at >= 0) merged.splice(at, 1);
    } else if (isObject(there)) merged[at] = mergeMap(itemSchema(schema, field), there, item);
    else merged.push(mergeMap(itemSchema(schema, field), {}, item));
  }
  return merged;
}

function keyedItem(item: Json, key: string, field: string): JsonObject {
  if (!isObject(item)) throw badRequest(`every item of ${field} must be an object`);
  if (item['$patch'] !== 'replace' && item[key] === undefined) {
    throw badRequest(`map: ${JSON.stringify(Object.keys(item))} does not contain declared merge key: ${key}`);
  }
  return item;
}

/** Nulls say that something is to go; in what is new there is nothing to go. */
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  return mergeMap(undefined, {}, value);
}

function deleteValues(merged: Record<string, Json>, field: string, gone: Json | undefined): void {
  const there = merged[field];
  if (!Array.isArray(there) || !Array.isArray(gone)) return;
  merged[field] = there.filter(item => !gone.some(one => sameJson(one, item)));
}

/**
 * Puts the items of a list that the patch names into its order; those it does not know stay where they are among them, as far as both
 * orders can be had.
 */
function reorder(
  schema: StructuralSchema | undefined,
  merged: Record<string, Json>,
  field: string,
  { under, over }: { readonly under: JsonObject; readonly over: JsonObject },
): void {
  const merge = listMergeOf(schema, field);
  if (merge.by === 'whole') return;
  const [items, before] = [merged[field], under[field]];
  const wanted = over[`${orderPrefix}${field}`] ?? over[field];
  if (!Array.isArray(items) || !Array.isArray(wanted)) return;
  const keyOf = (item: Json): Json =>
    merge.by === 'key' && isObject(item) ? (item[merge.key] ?? null) : item;
  const placeIn = (list: readonly Json[]) => {
    const keys = list.map(keyOf);
    return (item: Json) => keys.findIndex(key => sameJson(key, keyOf(item)));
  };
  const wantedPlace = placeIn(wanted);
  const oldPlace = placeIn(Array.isArray(before) ? before : []);
  const named = items.filter(item => wantedPlace(item) >= 0).sort((a, b) => wantedPlace(a) - wantedPlace(b));
  const others = items.filter(item => wantedPlace(item) < 0);
  let from = 0;
  for (const item of others) {
    const at = named.findIndex((one, index) => index >= from && oldPlace(one) > oldPlace(item));
    const place = at < 0 ? named.length : at;
    named.splice(place, 0, item);
    from = place + 1;
  }
  merged[field] = named;
}

function fieldSchema(schema: StructuralSchema | undefined, field: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  return properties && Object.hasOwn(properties, field) ? properties[field] : additionalProperties;
}

function itemSchema(schema: StructuralSchema | undefined, field: string): StructuralSchema | undefined {
  return fieldSchema(schema, field)?.items;
}

function unknownDirective(directive: Json): Error {
  return badRequest(`unknown patch directive ${JSON.stringify(directive)}`);
}
