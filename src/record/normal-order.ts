import type { FieldPath } from '../api/schema/problem.ts';
import type { StructuralSchema } from '../api/schema/structural-schema.ts';
import { canonicalJson, compareText, isObject, type Json } from '../base/json.ts';

/**
 * A value with every list whose order says nothing in a fixed order: lists with keys by their keys, sets by their items.
 * `keepsOrder` names the lists, by path from the value, that have keys and yet an order that counts.
 */
export function inNormalOrder(
  schema: StructuralSchema,
  value: Json,
  keepsOrder: (path: FieldPath) => boolean,
  path: FieldPath = [],
): Json {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    const ordered = value.map((item: Json, index) =>
      items ? inNormalOrder(items, item, keepsOrder, [...path, index]) : item,
    );
    const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
    if (listType === 'atomic' || keepsOrder(path)) return ordered;
    return sortBy(ordered, item => identityOf(schema, item));
  }
  if (!isObject(value) || !properties) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, field ? inNormalOrder(field, item, keepsOrder, [...path, name]) : item];
    }),
  );
}

function identityOf(schema: StructuralSchema, item: Json): string {
  const keys = schema['x-kubernetes-list-map-keys'];
  return canonicalJson(keys && isObject(item) ? keys.map(key => item[key]) : item);
}

function sortBy(items: readonly Json[], identity: (item: Json) => string): Json[] {
  return items
    .map(item => ({ item, key: identity(item) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ item }) => item);
}
