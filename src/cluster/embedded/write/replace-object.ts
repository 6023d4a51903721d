import { type Json, sameJson } from '../../../base/json.ts';
import type { ClusterObject, Metadata, StoredObject } from '../../cluster.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { type Comparison, compare } from '../apply/compare.ts';
import {
  afterUpdate,
  type Ownership,
  ownable,
  readOwnerships,
  sameOwnerships,
  withOwnerships,
} from '../apply/managed-fields.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { keptContent } from '../objects/kept-content.ts';
import { changedMeanwhile, conflict, wrong } from '../objects/refusals.ts';
import { userMetadata } from '../objects/user-metadata.ts';
import type { Unversioned } from '../store/transaction.ts';
import { checkObject } from './check-object.ts';
import { type WriteContext, writerOf } from './write-context.ts';

/**
 * Puts `request` in the place of what is there, after all checks; does nothing when nothing would change. Removes the object
 * when this took its last finalizer away. `ownerships` is given by an apply.
 */
export function replaceObject(
  context: WriteContext,
  before: StoredObject,
  request: ClusterObject,
  ownerships?: readonly Ownership[],
): StoredObject {
  const { transaction, rules } = context;
  refuseOthers(context, before, request.metadata);
  const metadata = context.subresource ? before.metadata : keptMetadata(before, request.metadata);
  const draft = keptContent(rules, replacedContent(context, before, request, metadata));
  const next = rules.prepare && !context.subresource ? rules.prepare(draft, before) : draft;
  checkObject(rules, next, before, metadataChanges(before, request.metadata, context));
  const difference = compare(rules.schema, before as unknown as Json, next as unknown as Json);
  const old = readOwnerships(before.metadata.managedFields);
  const owned = ownerships ?? ownedByUpdate(context, old, difference);
  const isSame = !difference.changed && !difference.removed && sameJson(next, before);
  if (isSame && sameOwnerships(owned, old)) return before;
  const generation = generationOf(context, before, next, difference);
  const object = { ...next, metadata: withOwnerships({ ...next.metadata, ...generation }, owned) };
  if (isFreed(object)) {
    transaction.remove(storeKindOf(rules), before);
    return object as unknown as StoredObject;
  }
  return transaction.put(storeKindOf(rules), object);
}

/** Another object of that name, or another version of it, than the caller means. */
function refuseOthers(
  { rules }: WriteContext,
  before: StoredObject,
  { uid, resourceVersion }: Metadata,
): void {
  const { name } = before.metadata;
  if (uid !== undefined && uid !== before.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
    throw conflict(rules, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion) {
    throw changedMeanwhile(rules, name);
  }
}

/** What the caller may change of the metadata is the caller's, the rest stays. */
function keptMetadata({ metadata: before }: StoredObject, request: Metadata): StoredObject['metadata'] {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, managedFields, ...kept } = before;
  return {
    ...kept,
    ...userMetadata(request),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
}

/** The content of the request but for the status, or the status and nothing else. */
function replacedContent(
  { rules, subresource }: WriteContext,
  before: StoredObject,
  request: ClusterObject,
  metadata: StoredObject['metadata'],
): Unversioned {
  const { status: old, ...rest } = before;
  const { status: asked, ...content } = request;
  if (subresource) return { ...rest, ...(asked === undefined ? {} : { status: asked }) };
  const status = rules.hasStatus ? old : asked;
  return { ...content, metadata, ...(status === undefined ? {} : { status }) };
}

/** Metadata that nobody may change, where a request says something else than what is there. */
function metadataChanges(before: StoredObject, request: Metadata, context: WriteContext): FieldCause[] {
  if (context.subresource) return [];
  const causes: FieldCause[] = [];
  const { creationTimestamp, deletionTimestamp } = request;
  if (creationTimestamp !== undefined && creationTimestamp !== before.metadata.creationTimestamp) {
    causes.push(wrong('metadata.creationTimestamp', creationTimestamp, 'field is immutable'));
  }
  if (deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined) {
    causes.push(wrong('metadata.deletionTimestamp', deletionTimestamp, 'field is immutable'));
  }
  return causes;
}

function ownedByUpdate(
  context: WriteContext,
  old: readonly Ownership[],
  difference: Comparison,
): Ownership[] {
  // Where nobody's fields are known, an update does not begin to: only an apply does.
  if (old.length === 0) return [];
  const writer = writerOf(context, 'Update');
  const { hasStatus } = context.rules;
  const changed = ownable(difference.changed, writer, hasStatus);
  const removed = ownable(difference.removed, writer, hasStatus);
  return afterUpdate(old, { changed, removed }, writer, context.transaction.timestamp);
}

/** One more when anything but metadata and status is another. */
function generationOf(
  { rules }: WriteContext,
  before: StoredObject,
  next: Unversioned,
  { changed, removed }: Comparison,
): { generation?: number } {
  const { generation } = before.metadata;
  if (!rules.hasGeneration || generation === undefined) return {};
  const touched = [...Object.keys(changed ?? {}), ...Object.keys(removed ?? {})];
  const apart = rules.hasStatus ? ['f:metadata', 'f:status', 'f:apiVersion'] : ['f:metadata', 'f:apiVersion'];
  const isAsked = touched.some(field => !apart.includes(field)) || !sameJson(next['spec'], before['spec']);
  return isAsked ? { generation: generation + 1 } : {};
}

/** Deleted, and nothing keeps it any more. */
function isFreed({ metadata }: Unversioned): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}
