import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { sharedByText } from '../store/shared-json.ts';
import { type FieldSet, leaf } from './field-set.ts';
import { elementOf, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';
import { looksLike, type SeenValue, seeValue } from './seen-value.ts';

/** The last value under each schema, and its fields. */
const last = new WeakMap<StructuralSchema, { readonly seen: SeenValue; readonly fields: FieldSet }>();

/**
 * A value and everything in it, down to what has one owner. Values of a kind mostly have the same fields, and the set is then
 * one that is there already, frozen.
 */
export function everyField(schema: MaybeSchema, value: Json): FieldSet {
  if (shapeOf(schema, value) === 'leaf') return leaf;
  const known = schema && last.get(schema);
  if (known && looksLike(known.seen, value)) return known.fields;
  const text = everyFieldText(schema, value);
  if (text === '{}') return leaf;
  const fields = sharedByText(text) as unknown as FieldSet;
  if (schema) last.set(schema, { seen: seeValue(schema, value), fields });
  return fields;
}

/** The same as its JSON. */
export function everyFieldText(schema: MaybeSchema, value: Json): string {
  if (shapeOf(schema, value) === 'leaf') return '{}';
  let text = '{".":{}';
  if (Array.isArray(value)) {
    if (value.length === 0) return '{}';
    for (const item of value as readonly Json[]) {
      text += `,${JSON.stringify(elementOf(schema, item))}:${everyFieldText(schema?.items, item)}`;
    }
    return `${text}}`;
  }
  const names = Object.keys(value as JsonObject);
  if (names.length === 0) return '{}';
  for (const name of names) {
    text += `,${fieldText(name)}${everyFieldText(schemaOfField(schema, name), (value as JsonObject)[name] as Json)}`;
  }
  return `${text}}`;
}

const fieldTexts = new Map<string, string>();

/** `"f:name":`; names are few and come again and again. */
export function fieldText(name: string): string {
  const known = fieldTexts.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(`f:${name}`)}:`;
  if (fieldTexts.size > 5000) fieldTexts.clear();
  fieldTexts.set(name, text);
  return text;
}
