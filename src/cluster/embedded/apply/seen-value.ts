import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { elementOf, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';

/**
 * What ownership sees of a value: which fields there are, not what they hold. The next value of a kind mostly looks like the
 * last one, and to see that is far quicker than to work out its fields again.
 */
export interface SeenValue {
  readonly schema: MaybeSchema;
  readonly shape: ReturnType<typeof shapeOf>;
  /** The fields of a map, or how the items of a list are called; none for what is owned as a whole. */
  readonly names: readonly string[];
  readonly below: readonly SeenValue[];
}

export function seeValue(schema: MaybeSchema, value: Json): SeenValue {
  const shape = shapeOf(schema, value);
  if (shape === 'list') {
    const items = value as readonly Json[];
    const names = items.map(item => elementOf(schema, item));
    return { schema, shape, names, below: items.map(item => seeValue(schema?.items, item)) };
  }
  const names = shape === 'map' ? Object.keys(value as JsonObject) : [];
  const below = names.map(name => seeValue(schemaOfField(schema, name), (value as JsonObject)[name] as Json));
  return { schema, shape, names, below };
}

/** Whether a value under the same schema has the same fields, in the same order. */
export function looksLike(seen: SeenValue, value: unknown): boolean {
  const { schema, names, below } = seen;
  const shape = shapeOf(schema, value);
  // What is empty is owned as a whole, whatever it is.
  if (shape === 'leaf' || names.length === 0) return names.length === 0 && isWhole(shape, value);
  if (shape !== seen.shape) return false;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const part = below[count];
      if (!part || elementOf(schema, item) !== names[count] || !looksLike(part, item)) return false;
      count += 1;
    }
  } else if (isObject(value)) {
    for (const name in value) {
      const part = below[count];
      if (!part || name !== names[count] || !looksLike(part, value[name])) return false;
      count += 1;
    }
  }
  return count === names.length;
}

function isWhole(shape: SeenValue['shape'], value: unknown): boolean {
  if (shape === 'leaf') return true;
  for (const _ in value as object) return false;
  return true;
}
