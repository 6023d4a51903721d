import { isObject, type Json, type JsonObject, setKey } from '../../../base/json.ts';
import type { ClusterObject, ObjectRef, Patch, StoredObject } from '../../cluster.ts';
import { ClusterError, isReason } from '../../cluster-error.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { withDefaults } from '../objects/fill-defaults.ts';
import { badRequest, invalid, notFound, wrong } from '../objects/refusals.ts';
import { placeOf } from '../store/kind-objects.ts';
import { applyJsonPatch } from './json-patch.ts';
import { readParts, refuseUnknown } from './read-request.ts';
import { replaceObject } from './replace-object.ts';
import { applyStrategicPatch } from './strategic-patch.ts';
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
  const isSame = before.apiVersion === ref.apiVersion;
  const seen = (isSame ? before : { ...before, apiVersion: ref.apiVersion }) as unknown as JsonObject;
  const patched = patchedObject(context, seen, patch);
  const request = readPatched(context, before, patched);
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

function patchedObject(
  { rules }: WriteContext,
  seen: JsonObject,
  patch: Exclude<Patch, { type: 'apply' }>,
): JsonObject {
  if (patch.type === 'json') return applyJsonPatch(seen, patch.value);
  if (patch.type === 'merge') return merged(seen, patch.value);
  if (rules.isCustom) throw badRequest('a strategic merge patch is only for built-in kinds');
  return applyStrategicPatch(rules.schema, seen, patch.value);
}

/** The object that a patch makes. What cannot be read is a fault of the patch. */
function readPatched(context: WriteContext, before: StoredObject, patched: JsonObject): ClusterObject {
  const { rules, options } = context;
  try {
    const read = readParts(rules, patched, fields => refuseUnknown(options, fields), before);
    return withDefaults(rules.schema, read, before);
  } catch (error) {
    if (!isReason(error, 'BadRequest')) throw error;
    const cause = { field: 'patch', reason: 'FieldValueInvalid', message: `Invalid value: ${error.message}` };
    // About the patch, not about an object.
    throw new ClusterError('Invalid', `patch: ${cause.message}`, { causes: [cause] });
  }
}

function merged(before: JsonObject, value: JsonObject): JsonObject {
  if (!isObject(value)) throw badRequest('a merge patch must be an object');
  return mergePatch(before, value);
}

/** RFC 7386, as `mergeJson`; what it does not touch is shared with what is there. */
function mergePatch(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const key of Object.keys(over)) {
    const [value, below] = [over[key] as Json, under[key]];
    if (value === null) delete merged[key];
    else {
      const part = isObject(value) ? mergePatch(isObject(below) ? below : {}, value) : value;
      if (key === '__proto__') setKey(merged, key, part);
      else merged[key] = part;
    }
  }
  return merged;
}
