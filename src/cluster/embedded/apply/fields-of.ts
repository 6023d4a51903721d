import { isObject, type Json } from '../../../base/json.ts';
import { branch, type FieldSet, leaf } from './field-set.ts';
import { elementOf, isNamedField, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';

/** The fields that somebody who applies this value speaks of. */
export function fieldsOf(schema: MaybeSchema, value: Json): FieldSet | undefined {
  const shape = shapeOf(schema, value);
  if (shape === 'leaf') return leaf;
  const parts: Record<string, FieldSet> = {};
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const below = shapeOf(schema?.items, item) === 'leaf' ? undefined : fieldsOf(schema?.items, item);
      parts[elementOf(schema, item)] = branch(below && below !== leaf ? { ...below } : {}, true) ?? leaf;
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const set = ofField(schema, name, item);
      if (set) parts[`f:${name}`] = set;
    }
  }
  return branch(parts, false);
}

function ofField(schema: MaybeSchema, name: string, item: Json): FieldSet | undefined {
  const field = schemaOfField(schema, name);
  if (item === null || shapeOf(field, item) === 'leaf') return leaf;
  const below = fieldsOf(field, item);
  if (isObject(item) && Object.keys(item).length === 0) return leaf;
  // A key that anybody may choose is theirs who chose it; a field of the schema is there anyway.
  return isNamedField(schema, name) ? below : branch({ ...below }, true);
}
