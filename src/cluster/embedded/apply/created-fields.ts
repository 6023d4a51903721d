import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { sharedByText } from '../store/shared-json.ts';
import { everyFieldText, fieldText } from './every-field.ts';
import type { FieldSet } from './field-set.ts';
import { type MaybeSchema, schemaOfField } from './field-shape.ts';
import { looksLike, type SeenValue, seeValue } from './seen-value.ts';

/** Of the metadata, what a caller can own. */
const ownMetadata = ['generateName', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

type IsNew = (part: string) => boolean;

/** The last object that was created under a schema, and its fields. */
interface Created {
  readonly isNew: IsNew;
  readonly parts: readonly (readonly [name: string, ...seen: (SeenValue | undefined)[]])[];
  readonly fields: FieldSet | undefined;
}

const last = new WeakMap<StructuralSchema, Created>();

/**
 * The fields that whoever creates an object owns: everything in it, but for what is the server's own. The same as
 * `compare` would find between nothing and the object. Objects of a kind mostly have the same fields, and the set is then one
 * that is there already. `isNew` is false for the parts that an object of the kind has from the beginning.
 */
export function createdFields(
  schema: StructuralSchema,
  object: JsonObject,
  isNew: IsNew,
): FieldSet | undefined {
  const known = last.get(schema);
  if (known?.isNew === isNew && isLikeLast(known, object)) return known.fields;
  const fields = fieldsByText(schema, object, isNew);
  last.set(schema, { isNew, parts: seeParts(schema, object), fields });
  return fields;
}

function seeParts(schema: StructuralSchema, object: JsonObject): Created['parts'] {
  return contentNames(object).map(name => {
    const [below, value] = [schemaOfField(schema, name), object[name] as Json];
    return name === 'metadata' ? [name, ...seeMetadata(below, value)] : [name, seeValue(below, value)];
  });
}

function seeMetadata(schema: MaybeSchema, metadata: Json): (SeenValue | undefined)[] {
  return ownMetadata.map(name => {
    const value = isObject(metadata) ? metadata[name] : undefined;
    return value === undefined ? undefined : seeValue(schemaOfField(schema, name), value);
  });
}

function isLikeLast({ parts }: Created, object: JsonObject): boolean {
  let count = 0;
  for (const name in object) {
    if (name === 'apiVersion' || name === 'kind') continue;
    const part = parts[count];
    if (part?.[0] !== name) return false;
    count += 1;
    if (name === 'metadata') {
      if (!isMetadataLike(part, object[name])) return false;
    } else if (!part[1] || !looksLike(part[1], object[name])) return false;
  }
  return count === parts.length;
}

function isMetadataLike(part: Created['parts'][number], metadata: Json | undefined): boolean {
  if (!isObject(metadata)) return false;
  for (let index = 0; index < ownMetadata.length; index++) {
    const value = metadata[ownMetadata[index] as string];
    const seen = part[index + 1] as SeenValue | undefined;
    if (value === undefined ? seen : !seen || !looksLike(seen, value)) return false;
  }
  return true;
}

/** The parts of an object that are anybody's. */
function contentNames(object: JsonObject): string[] {
  return Object.keys(object).filter(name => name !== 'apiVersion' && name !== 'kind');
}

function fieldsByText(schema: StructuralSchema, object: JsonObject, isNew: IsNew): FieldSet | undefined {
  const parts: string[] = [];
  for (const name of contentNames(object)) {
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
