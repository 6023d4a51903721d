import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';

/** A schema, or none where the schema leaves the content open. */
export type MaybeSchema = StructuralSchema | undefined;

/**
 * How a value is owned: a `leaf` as a whole, a `map` key by key, a `list` item by item. Where the schema says nothing, maps are
 * owned by key and lists as a whole.
 */
export function shapeOf(schema: MaybeSchema, value: unknown): 'leaf' | 'map' | 'list' {
  if (Array.isArray(value)) {
    const how = schema?.['x-kubernetes-list-type'];
    return how === 'map' || how === 'set' ? 'list' : 'leaf';
  }
  if (!isObject(value)) return 'leaf';
  return schema?.['x-kubernetes-map-type'] === 'atomic' ? 'leaf' : 'map';
}

/** The schema of a field of a map. */
export function schemaOfField(schema: MaybeSchema, name: string): MaybeSchema {
  const { properties, additionalProperties } = schema ?? {};
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties;
}

/** Whether the schema names this field, unlike a key that anybody may choose. */
export function isNamedField(schema: MaybeSchema, name: string): boolean {
  return schema?.properties !== undefined && Object.hasOwn(schema.properties, name);
}

/** How an item of a list is called in a field set. */
export function elementOf(schema: MaybeSchema, item: Json): string {
  if (schema?.['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const of: JsonObject = isObject(item) ? item : {};
  const keys: Record<string, unknown> = {};
  for (const key of sortedKeys(schema)) {
    const value = of[key] ?? schema?.items?.properties?.[key]?.default;
    if (value !== undefined) keys[key] = value;
  }
  return `k:${JSON.stringify(keys)}`;
}

const sorted = new WeakMap<StructuralSchema, readonly string[]>();

/** By which fields the items of a list are told apart, in the order of their names. */
function sortedKeys(schema: MaybeSchema): readonly string[] {
  if (!schema) return [];
  const known = sorted.get(schema);
  if (known) return known;
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  sorted.set(schema, keys);
  return keys;
}

/** The items of a list by how they are called; of items that are there twice, the first. */
export function itemsByElement(schema: MaybeSchema, list: readonly Json[]): Map<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    const element = elementOf(schema, item);
    if (!items.has(element)) items.set(element, item);
  }
  return items;
}
