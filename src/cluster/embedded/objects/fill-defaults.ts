import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject, setKey } from '../../../base/json.ts';

/**
 * The same as `applyDefaults` of the API, but what has nothing to fill in is returned as it is: an update then shares all that it
 * does not change with what is there, which makes it quick to compare.
 */
export function fillDefaults(schema: StructuralSchema, value: Json): Json {
  if (!hasDefaults(schema)) return value;
  if (Array.isArray(value)) return fillList(schema, value);
  if (!isObject(value)) return value;
  const filled: [string, Json][] = [];
  for (const [name, field] of fieldsWithDefaults(schema)) {
    const item = Object.hasOwn(value, name) ? value[name] : (field.default as Json | undefined);
    if (item === undefined) continue;
    const full = fillDefaults(field, item);
    if (full !== value[name]) filled.push([name, full]);
  }
  return withParts(value, [...filled, ...filledOthers(schema, value)]);
}

/** The values of a map under keys that the schema does not name. */
function filledOthers(schema: StructuralSchema, value: JsonObject): [string, Json][] {
  const { additionalProperties: others, properties } = schema;
  if (!others || !hasDefaults(others)) return [];
  return Object.keys(value)
    .filter(name => !(properties && Object.hasOwn(properties, name)))
    .map((name): [string, Json] => [name, fillDefaults(others, value[name] as Json)])
    .filter(([name, full]) => full !== value[name]);
}

function withParts(value: JsonObject, parts: readonly [string, Json][]): JsonObject {
  if (parts.length === 0) return value;
  const filled: Record<string, Json> = { ...value };
  for (const [name, part] of parts) setKey(filled, name, part);
  return filled;
}

function fillList(schema: StructuralSchema, list: readonly Json[]): Json {
  const { items } = schema;
  if (!items) return list;
  const filled = list.map(item => fillDefaults(items, item));
  return filled.every((item, index) => item === list[index]) ? list : filled;
}

/** What all objects have is looked after apart. */
const apart = new Set(['metadata', 'apiVersion', 'kind']);

/** The content of an object with every default. */
export function withDefaults<T extends object>(schema: StructuralSchema, object: T, before?: object): T {
  let filled: T | undefined;
  for (const [name, field] of fieldsWithDefaults(schema)) {
    if (apart.has(name)) continue;
    const value = (object as Record<string, Json>)[name] ?? (field.default as Json | undefined);
    // What is as it was has them.
    if (value === undefined || value === (before as Record<string, Json> | undefined)?.[name]) continue;
    const full = fillDefaults(field, value);
    if (full === (object as Record<string, Json>)[name]) continue;
    filled ??= { ...object };
    (filled as Record<string, Json>)[name] = full;
  }
  return filled ?? object;
}

const found = new WeakMap<StructuralSchema, readonly (readonly [string, StructuralSchema])[]>();

function fieldsWithDefaults(schema: StructuralSchema): readonly (readonly [string, StructuralSchema])[] {
  const known = found.get(schema);
  if (known) return known;
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => hasDefaults(field));
  found.set(schema, fields);
  return fields;
}

const having = new WeakMap<StructuralSchema, boolean>();

function hasDefaults(schema: StructuralSchema): boolean {
  const known = having.get(schema);
  if (known !== undefined) return known;
  const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  const has = schema.default !== undefined || below.some(part => part !== undefined && hasDefaults(part));
  having.set(schema, has);
  return has;
}
