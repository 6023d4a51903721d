import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/**
 * The object as it must be written for `substitute` to give back the very same: every `${` of its text values is made a literal one. Keys are
 * left alone, as there.
 */
export function escapeObject(object: JsonObject): JsonObject {
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, escapeValue(item)]));
}

function escapeValue(value: Json): Json {
  if (typeof value === 'string') return value.split('${').join('$${');
  if (isObject(value)) return escapeObject(value);
  return Array.isArray(value) ? value.map(escapeValue) : value;
}
