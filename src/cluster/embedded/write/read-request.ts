import { validate } from '../../../api/schema/validate.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject, WriteOptions } from '../../cluster.ts';
import { apiVersionOf, type KindRules } from '../kinds/kind-rules.ts';
import { readMetadata } from '../objects/metadata.ts';
import { prune } from '../objects/prune.ts';
import { badRequest } from '../objects/refusals.ts';
import { withDefaults } from '../objects/schema-causes.ts';
import { copyJson } from '../store/freeze-json.ts';

/** How big an object may be: the limit of an API server with its database. */
const mostBytes = 1_500_000;

/**
 * The object of a request: a copy nobody else holds, of the right types, without what the schema does not know, with its defaults.
 * Throws `BadRequest` for what cannot be read, and for unknown fields when the caller is strict.
 */
export function readRequest(rules: KindRules, object: ClusterObject, options: WriteOptions): ClusterObject {
  const copy: unknown = copyJson(object);
  if (!isObject(copy)) throw badRequest('an object is expected');
  const onUnknown = (fields: readonly string[]) => {
    if (options.fieldValidation === 'Strict')
      throw badRequest(`strict decoding error: ${sayUnknown(fields)}`);
  };
  return withDefaults(rules.schema, readParts(rules, copy, onUnknown));
}

export function sayUnknown(fields: readonly string[]): string {
  return fields.map(field => `unknown field "${field}"`).join(', ');
}

/** The same for JSON that nobody else holds, without defaults, and with unknown fields told to the caller. */
export function readParts(
  rules: KindRules,
  object: JsonObject,
  onUnknown: (fields: readonly string[]) => void,
): ClusterObject {
  const { apiVersion, kind, metadata, ...content } = object;
  if (apiVersion !== apiVersionOf(rules) || kind !== rules.kind) {
    throw badRequest(
      `the object is a ${kind} of ${apiVersion}, not a ${rules.kind} of ${apiVersionOf(rules)}`,
    );
  }
  const dropped: string[] = [];
  const read = readMetadata(metadata, dropped);
  const pruned = prune(rules.schema, content, '', dropped) as JsonObject;
  if (dropped.length > 0) onUnknown(dropped);
  if (!rules.isCustom) refuseWrongTypes(rules, pruned);
  return { apiVersion, kind, metadata: read, ...pruned };
}

/** A server reads built-in kinds into types of its language; what does not fit there is not an object at all. */
function refuseWrongTypes(rules: KindRules, content: JsonObject): void {
  for (const [name, value] of Object.entries(content)) {
    const schema = rules.schema.properties?.[name];
    const problem = schema && validate(schema, value as Json).find(one => one.code === 'FieldType');
    if (problem)
      throw badRequest(
        `${rules.kind} in version "${rules.version}" cannot be handled: ${[name, ...problem.path].join('.')} ${problem.message}`,
      );
  }
}

/** Refuses what is too big to be kept by an API server. */
export function refuseTooBig(object: ClusterObject): void {
  const size = JSON.stringify(object).length;
  if (size > mostBytes) throw badRequest(`the object has ${size} bytes; the most is ${mostBytes}`);
}
