import { applyPatch, type Operation } from 'rfc6902';
import { isObject, type Json, type JsonObject, mergeJson } from '../../../base/json.ts';
import type { ObjectRef, Patch, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { badRequest, invalid, notFound, wrong } from '../objects/refusals.ts';
import { withDefaults } from '../objects/schema-causes.ts';
import { copyJson } from '../store/freeze-json.ts';
import { placeOf } from '../store/kind-objects.ts';
import { readParts, sayUnknown } from './read-request.ts';
import { replaceObject } from './replace-object.ts';
import { refuseNoStatus } from './update-object.ts';
import type { WriteContext } from './write-context.ts';

/** Changes a part of an object that is there. */
export function patchObject(
  context: WriteContext,
  ref: ObjectRef,
  patch: Exclude<Patch, { type: 'apply' }>,
): StoredObject {
  const { transaction, rules } = context;
  refuseNoStatus(context);
  const before = transaction.find(
    storeKindOf(rules),
    placeOf(rules.isNamespaced ? ref.namespace : undefined, ref.name),
  );
  if (!before) throw notFound(rules, ref.name);
  const seen = { ...before, apiVersion: ref.apiVersion } as unknown as JsonObject;
  const patched = patch.type === 'merge' ? merged(seen, patch.value) : operated(seen, patch.value);
  const onUnknown = (fields: readonly string[]) => {
    if (context.options.fieldValidation !== 'Strict') return;
    throw new ClusterError('Invalid', `strict decoding error: ${sayUnknown(fields)}`);
  };
  const request = withDefaults(rules.schema, readParts(rules, patched, onUnknown));
  const { name, namespace, uid } = request.metadata;
  if (namespace !== before.metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (name !== ref.name) throw badRequest('the name of the object does not match the name on the URL');
  if (uid !== undefined && uid !== before.metadata.uid) {
    throw invalid(rules, ref.name, [wrong('metadata.uid', uid, 'field is immutable')]);
  }
  return replaceObject(context, before, request);
}

function merged(before: JsonObject, value: JsonObject): JsonObject {
  if (!isObject(value)) throw badRequest('a merge patch must be an object');
  return mergeJson(before, copyJson(value));
}

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function operated(before: JsonObject, value: readonly JsonObject[]): JsonObject {
  if (!Array.isArray(value)) throw badRequest('a JSON patch must be a list');
  if (!value.every(isObject)) throw badRequest('error decoding patch: every operation must be an object');
  const unknown = value.find(
    one => !operations.includes(String(one['op'])) || typeof one['path'] !== 'string',
  );
  if (unknown) throw new ClusterError('Invalid', `Unexpected kind: ${String(unknown['op'])}`);
  const object = copyJson(before) as Record<string, Json>;
  for (const operation of copyJson(value)) {
    const [failure] = applyPatch(object, [operation as unknown as Operation]);
    if (!failure) continue;
    const what = `${operation['op']} ${operation['path']}`;
    throw new ClusterError(
      'Invalid',
      `the server rejected our request due to an error in our request: ${what}: ${failure.name}`,
    );
  }
  return object;
}
