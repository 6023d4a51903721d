import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { isObject, type Json, type JsonObject, setKey } from '../../../base/json.ts';
import type { ClusterObject, StoredObject, WriteOptions } from '../../cluster.ts';
import { apiVersionOf, type KindRules } from '../kinds/kind-rules.ts';
import { withDefaults } from '../objects/fill-defaults.ts';
import { readMetadata } from '../objects/metadata.ts';
import { prune, putBefore } from '../objects/prune.ts';
import { badRequest } from '../objects/refusals.ts';
import { isSurelyValid } from '../objects/surely-valid.ts';
import type { WriteContext } from './write-context.ts';

/**
 * The object of a request that nobody else holds: of the right types, without what the schema does not know, with its
 * defaults. Throws `BadRequest` for what cannot be read, and for unknown fields when the caller is strict.
 */
export function readRequest({ rules, options }: WriteContext, object: ClusterObject): ClusterObject {
  if (!isObject(object)) throw badRequest('an object is expected');
  const content = object as unknown as JsonObject;
  return withDefaults(
    rules.schema,
    readParts(rules, content, fields => refuseUnknown(options, fields, handledAs(rules))),
  );
}

/** How a server begins where what it refuses is a whole object of a built-in kind. */
function handledAs({ kind, version, isCustom }: KindRules): string {
  return isCustom ? '' : `${kind} in version "${version}" cannot be handled as a ${kind}: `;
}

/** Unknown fields are dropped in silence, but for a caller that is strict. */
export function refuseUnknown(
  { fieldValidation = 'Warn', onDropped }: WriteOptions,
  fields: readonly string[],
  begin = '',
): void {
  if (fieldValidation === 'Warn') onDropped?.(fields);
  if (fieldValidation !== 'Strict') return;
  throw badRequest(
    `${begin}strict decoding error: ${fields.map(field => `unknown field "${field}"`).join(', ')}`,
  );
}

/** The same without defaults, and with unknown fields told to the caller. */
export function readParts(
  rules: KindRules,
  object: JsonObject,
  onUnknown: (fields: readonly string[]) => void,
  before?: StoredObject,
): ClusterObject {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion !== apiVersionOf(rules) || kind !== rules.kind) {
    throw badRequest(
      `the object is a ${kind} of ${apiVersion}, not a ${rules.kind} of ${apiVersionOf(rules)}`,
    );
  }
  const dropped: string[] = [];
  const isKept = before !== undefined && metadata === (before.metadata as unknown);
  const read = {
    apiVersion,
    kind,
    metadata: isKept ? before.metadata : readMetadata(metadata, dropped),
  };
  readFields(rules, object, before, { into: read as unknown as Record<string, Json>, dropped });
  if (dropped.length > 0) onUnknown(dropped);
  return read;
}

/** Every field of the content without what its schema does not know. What is as it was needs no look. */
function readFields(
  rules: KindRules,
  object: JsonObject,
  before: StoredObject | undefined,
  { into: read, dropped }: { into: Record<string, Json>; dropped: string[] },
): void {
  for (const name of Object.keys(object)) {
    if (name === 'apiVersion' || name === 'kind' || name === 'metadata') continue;
    const value = object[name] as Json;
    const schema = fieldSchema(rules.schema, name);
    if (value === before?.[name] || (!schema && rules.schema['x-kubernetes-preserve-unknown-fields'])) {
      setKey(read, name, value);
    } else if (!schema) dropped.push(name);
    else if (value !== null || schema.nullable) {
      const from = dropped.length;
      const kept = prune(schema, value, dropped);
      if (dropped.length > from) putBefore(dropped, from, name);
      refuseUnfit(rules, name, schema, kept);
      read[name] = kept;
    }
  }
}

function fieldSchema({ properties }: StructuralSchema, name: string): StructuralSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function refuseUnfit(rules: KindRules, name: string, schema: StructuralSchema, value: Json): void {
  if (rules.isCustom) return;
  refuseWrongTypes(rules, name, schema, value);
  if (rules.encoded.includes(name)) refuseUnencoded(rules, name, value);
}

/** A server reads built-in kinds into types of its language; what does not fit there is not an object at all. */
function refuseWrongTypes(rules: KindRules, name: string, schema: StructuralSchema, value: Json): void {
  if (isSurelyValid(schema, value)) return;
  const problem = validate(schema, value).find(one => one.code === 'FieldType');
  if (!problem) return;
  const where = [name, ...problem.path].join('.');
  throw badRequest(
    `${rules.kind} in version "${rules.version}" cannot be handled: ${where} ${problem.message}`,
  );
}

/** Some fields are bytes, which stand in JSON as base64. */
function refuseUnencoded(rules: KindRules, name: string, value: Json): void {
  const [bad] =
    Object.entries(isObject(value) ? value : {}).find(([, text]) => !isBase64(String(text))) ?? [];
  if (bad === undefined) return;
  throw badRequest(
    `${rules.kind} in version "${rules.version}" cannot be handled: ${name}.${bad} is not base64`,
  );
}

function isBase64(text: string): boolean {
  const plain = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, '') : text;
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
}
