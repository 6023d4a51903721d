import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject, StoredObject, WriteOptions } from '../../cluster.ts';
import { apiVersionOf, type KindRules } from '../kinds/kind-rules.ts';
import { withDefaults } from '../objects/fill-defaults.ts';
import { readMetadata } from '../objects/metadata.ts';
import { prune } from '../objects/prune.ts';
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
    readParts(rules, content, fields => refuseUnknown(options, fields)),
  );
}

/** Unknown fields are dropped in silence, but for a caller that is strict. */
export function refuseUnknown({ fieldValidation }: WriteOptions, fields: readonly string[]): void {
  if (fieldValidation !== 'Strict') return;
  throw badRequest(`strict decoding error: ${fields.map(field => `unknown field "${field}"`).join(', ')}`);
}

/** The same without defaults, and with unknown fields told to the caller. */
export function readParts(
  rules: KindRules,
  object: JsonObject,
  onUnknown: (fields: readonly string[]) => void,
  before?: StoredObject,
): ClusterObject {
  const { apiVersion, kind, metadata, ...content } = object;
  if (apiVersion !== apiVersionOf(rules) || kind !== rules.kind) {
    throw badRequest(
      `the object is a ${kind} of ${apiVersion}, not a ${rules.kind} of ${apiVersionOf(rules)}`,
    );
  }
  const dropped: string[] = [];
  const isKept = before !== undefined && metadata === (before.metadata as unknown);
  const read = isKept ? before.metadata : readMetadata(metadata, dropped);
  const parts = readFields(rules, content, before, dropped);
  if (dropped.length > 0) onUnknown(dropped);
  return { apiVersion, kind, metadata: read, ...parts };
}

/** Every field without what its schema does not know. What is as it was needs no look. */
function readFields(
  rules: KindRules,
  content: JsonObject,
  before: StoredObject | undefined,
  dropped: string[],
): JsonObject {
  const read: Record<string, Json> = {};
  for (const name of Object.keys(content)) {
    const value = content[name] as Json;
    const schema = rules.schema.properties?.[name];
    if (value === before?.[name] || (!schema && rules.schema['x-kubernetes-preserve-unknown-fields'])) {
      read[name] = value;
    } else if (!schema) dropped.push(name);
    else if (value !== null) {
      read[name] = prune(schema, value, name, dropped);
      if (!rules.isCustom) refuseWrongTypes(rules, name, schema, read[name]);
    }
  }
  return read;
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
