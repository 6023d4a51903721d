import { isObject, type Json } from '../../base/json.ts';
import type { FieldPath } from './problem.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The fields of a value that its schema does not have, where the schema keeps them instead of refusing them: the path of each, in the
 * order they are written. What lies below a field that is not known is not looked at.
 */
export function unknownFields(schema: StructuralSchema, value: Json, path: FieldPath = []): FieldPath[] {
  const { properties, items } = schema;
  if (Array.isArray(value) && items)
    return value.flatMap((item, index) => unknownFields(items, item, [...path, index]));
  if (!isObject(value) || !properties) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const known = properties[name];
    const at = [...path, name];
    return known ? unknownFields(known, below, at) : [at];
  });
}
