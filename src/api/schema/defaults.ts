import { isObject, setKey } from '../../base/json.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The value with every absent field that has a default filled in, as an API server does it: below objects that are
 * there, never by inventing an object that has no default of its own. The input is not changed.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map(item => applyDefaults(items, item)) : value;
  }
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name)) filled[name] = applyDefaults(field, value[name]);
    else if (field.default !== undefined) filled[name] = applyDefaults(field, field.default);
  }
  if (schema.additionalProperties) {
    for (const name of Object.keys(value)) {
      if (schema.properties && Object.hasOwn(schema.properties, name)) continue;
      setKey(filled, name, applyDefaults(schema.additionalProperties, value[name]));
    }
  }
  return filled;
}
