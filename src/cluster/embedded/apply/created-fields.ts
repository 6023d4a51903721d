import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { sharedByText } from '../store/shared-json.ts';
import type { FieldSet } from './field-set.ts';
import { elementOf, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';

/** Of the metadata, what a caller can own. */
const ownMetadata = ['generateName', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

/**
 * The fields that whoever creates an object owns: everything in it, but for what is the server's own. The same as
 * `compare` would find between nothing and the object, made as text: objects of a kind mostly have the same fields, and the
 * set is then one that is there already. `isNew` is false for the parts that an object of the kind has from the beginning.
 */
export function createdFields(
  schema: MaybeSchema,
  object: JsonObject,
  isNew: (part: string) => boolean,
): FieldSet | undefined {
  const parts: string[] = [];
  for (const name of Object.keys(object)) {
    if (name === 'apiVersion' || name === 'kind') continue;
    const value = object[name] as Json;
    const below = schemaOfField(schema, name);
    const text = name === 'metadata' ? metadataText(below, value) : topText(below, value, isNew(name));
    if (text !== undefined) parts.push(`${fieldText(name)}${text}`);
  }
  return parts.length === 0 ? undefined : (sharedByText(`{${parts.join(',')}}`) as unknown as FieldSet);
}

function metadataText(schema: MaybeSchema, metadata: Json): string | undefined {
  const parts: string[] = [];
  for (const name of ownMetadata) {
    const value = isObject(metadata) ? metadata[name] : undefined;
    if (value !== undefined)
      parts.push(`${fieldText(name)}${everyFieldText(schemaOfField(schema, name), value)}`);
  }
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
}

function topText(schema: MaybeSchema, value: Json, isNew: boolean): string | undefined {
  const text = everyFieldText(schema, value);
  if (isNew || !text.startsWith('{".":{}'))
    return isNew ? text : text === '{}' && isObject(value) ? undefined : text;
  return `{${text.slice('{".":{},'.length)}`;
}

function everyFieldText(schema: MaybeSchema, value: Json): string {
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
function fieldText(name: string): string {
  const known = fieldTexts.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(`f:${name}`)}:`;
  if (fieldTexts.size > 5000) fieldTexts.clear();
  fieldTexts.set(name, text);
  return text;
}
