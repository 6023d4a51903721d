import { isObject, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject, ObjectRef, Patch, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { applyObject } from '../apply/apply-object.ts';
import { createdFields } from '../apply/created-fields.ts';
import { type Ownership, ownable, ownershipOf, readOwnerships } from '../apply/managed-fields.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { withDefaults } from '../objects/fill-defaults.ts';
import { badRequest, conflict, notFound, untyped } from '../objects/refusals.ts';
import { placeOf } from '../store/kind-objects.ts';
import { createObject } from './create-object.ts';
import { readParts } from './read-request.ts';
import { replaceObject } from './replace-object.ts';
import { refuseNoStatus } from './update-object.ts';
import { type WriteContext, writerOf } from './write-context.ts';

/** Server-side apply of one object; makes it where it is not there. */
export function applyPatchToStore(
  context: WriteContext,
  ref: ObjectRef,
  patch: Extract<Patch, { type: 'apply' }>,
): StoredObject {
  const { transaction, rules } = context;
  refuseNoStatus(context);
  const applied = readApplied(context, ref, patch);
  const namespace = rules.isNamespaced ? ref.namespace : undefined;
  const before = transaction.find(storeKindOf(rules), placeOf(namespace, ref.name));
  if (!before) return createApplied(context, ref, applied, patch);
  const { object, ownerships } = merge(context, before, applied, patch);
  const { resourceVersion, uid } = applied.metadata;
  const metadata = {
    ...(object['metadata'] as JsonObject),
    // Only what the caller said is a precondition.
    resourceVersion: resourceVersion ?? before.metadata.resourceVersion,
    uid: uid ?? before.metadata.uid,
  };
  const request = withDefaults(rules.schema, { ...object, metadata }) as unknown as ClusterObject;
  return replaceObject(context, before, request, ownerships);
}

function createApplied(
  context: WriteContext,
  ref: ObjectRef,
  applied: ClusterObject,
  patch: Extract<Patch, { type: 'apply' }>,
): StoredObject {
  const { rules } = context;
  if (context.subresource) throw notFound(rules, ref.name);
  const { uid } = applied.metadata;
  if (uid !== undefined) {
    throw conflict(
      rules,
      ref.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  const { ownerships } = merge(context, undefined, applied, patch);
  return createObject(context, withDefaults(rules.schema, applied), ownerships);
}

function merge(
  context: WriteContext,
  before: StoredObject | undefined,
  applied: ClusterObject,
  patch: Extract<Patch, { type: 'apply' }>,
): { object: JsonObject; ownerships: Ownership[] } {
  const { rules, transaction } = context;
  const { managedFields, ...metadata } = before?.metadata ?? {};
  const live = before ? { ...before, metadata } : { apiVersion: applied.apiVersion, kind: applied.kind };
  return applyObject({
    schema: rules.schema,
    hasStatus: rules.hasStatus,
    live: live as unknown as JsonObject,
    applied: applied as unknown as JsonObject,
    ownerships: before && !managedFields?.length ? ownedBefore(context, live) : readOwnerships(managedFields),
    writer: { ...writerOf(context, 'Apply'), manager: patch.fieldManager },
    force: patch.force === true,
    time: transaction.timestamp,
  });
}

/** Everything that is there belongs to whoever was there before, where nobody's fields are known. */
function ownedBefore(context: WriteContext, live: object): Ownership[] {
  const { rules, transaction } = context;
  const writer = { ...writerOf(context, 'Update'), manager: 'before-first-apply' };
  const fields = createdFields(rules.schema, live as JsonObject, () => true);
  return [ownershipOf(writer, transaction.timestamp, ownable(fields, writer, rules.hasStatus))];
}

/** What is applied, as it was meant for this object and this door. */
function readApplied(
  context: WriteContext,
  ref: ObjectRef,
  patch: Extract<Patch, { type: 'apply' }>,
): ClusterObject {
  const { rules } = context;
  if (!patch.fieldManager) {
    throw new ClusterError(
      'BadRequest',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  if (!isObject(patch.value)) throw badRequest('an object is expected');
  const applied = readParts(rules, patch.value as unknown as JsonObject, fields => {
    throw untyped(fields.map(field => `.${field}: field not declared in schema`).join(', '));
  });
  const { name, namespace, managedFields } = applied.metadata;
  if (managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  if (name !== undefined && name !== ref.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${ref.name})`);
  if (namespace !== undefined && rules.isNamespaced && namespace !== ref.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const metadata = { ...applied.metadata, name: ref.name };
  const placed =
    rules.isNamespaced && ref.namespace !== undefined ? { ...metadata, namespace: ref.namespace } : metadata;
  return onlyThisDoor(context, { ...applied, metadata: placed });
}

function onlyThisDoor({ rules, subresource }: WriteContext, applied: ClusterObject): ClusterObject {
  const { apiVersion, kind, metadata, status } = applied;
  if (subresource) {
    const { name, namespace, uid, resourceVersion } = metadata;
    const kept = Object.fromEntries(
      Object.entries({ name, namespace, uid, resourceVersion }).filter(([, value]) => value !== undefined),
    );
    return { apiVersion, kind, metadata: kept, ...(status === undefined ? {} : { status }) };
  }
  if (!rules.hasStatus) return applied;
  const { status: _, ...rest } = applied;
  return rest as ClusterObject;
}
