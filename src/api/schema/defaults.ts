import { isObject, setKey } from '../../base/json.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The value with every absent field that has a default filled in, as an API server does it: below objects that are
 * there, never by inventing an object that has no default of its own. A field that is null counts as absent, as there,
 * unless the schema allows null; an item of a list that is null stays. The input is not changed.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map(item => applyDefaults(items, item)) : value;
  }
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const field = fieldOf(schema, name);
    if (field && item === null && !field.nullable) continue;
    setKey(filled, name, field ? applyDefaults(field, item) : item);
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.default !== undefined && !Object.hasOwn(filled, name))
      filled[name] = applyDefaults(field, field.default);
  }
  return filled;
}

function fieldOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}
