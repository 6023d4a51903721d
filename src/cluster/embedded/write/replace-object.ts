import { type Json, sameJson } from '../../../base/json.ts';
import type { ClusterObject, Metadata, StoredObject } from '../../cluster.ts';
import { ClusterError, type FieldCause } from '../../cluster-error.ts';
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
import { takeUserMetadata, type Writable } from '../objects/user-metadata.ts';
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
  const draft = keptContent(rules, replacedContent(context, before, request));
  const next = rules.prepare && !context.subresource ? rules.prepare(draft, before) : draft;
  checkObject(rules, next, before, metadataChanges(before, request.metadata, context));
  const difference = compare(rules.schema, before as unknown as Json, next as unknown as Json);
  const old = readOwnerships(before.metadata.managedFields);
  const owned = ownerships ?? ownedByUpdate(context, old, difference);
  const isSame = !difference.changed && !difference.removed && sameJson(next, before);
  if (isSame && sameOwnerships(owned, old)) return before;
  const metadata = withGeneration(context, before, next, difference);
  // Nobody else holds it yet: it was put together above.
  (next as Writable<Unversioned>).metadata = withOwnerships(metadata, owned);
  if (isFreed(next)) {
    transaction.remove(storeKindOf(rules), before);
    return next as unknown as StoredObject;
  }
  return transaction.put(storeKindOf(rules), next);
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
  if (isAnyVersion(resourceVersion)) return;
  if (!/^\d+$/.test(resourceVersion)) {
    // A server calls that a failure of its own, and so must we.
    throw new ClusterError('InternalError', `the resourceVersion ${JSON.stringify(resourceVersion)} is none`);
  }
  if (resourceVersion !== before.metadata.resourceVersion) {
    throw changedMeanwhile(rules, name);
  }
}

/** Whether a write is meant for whatever version is there. */
export function isAnyVersion(resourceVersion: string | undefined): resourceVersion is '0' | undefined {
  return resourceVersion === undefined || resourceVersion === '0';
}

/** What the caller may change of the metadata is the caller's, the rest stays. */
function keptMetadata({ metadata: before }: StoredObject, request: Metadata): StoredObject['metadata'] {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...kept } = before;
  return takeUserMetadata(kept, request);
}

/** The content of the request but for the status, or the status and nothing else. */
function replacedContent(
  { rules, subresource }: WriteContext,
  before: StoredObject,
  request: ClusterObject,
): Unversioned {
  const content: ClusterObject = subresource ? before : request;
  const status = subresource || !rules.hasStatus ? request['status'] : before['status'];
  const metadata = subresource ? before.metadata : keptMetadata(before, request.metadata);
  if (status !== undefined) return { ...content, metadata, status };
  if (content['status'] === undefined) return { ...content, metadata };
  const { status: _, ...rest } = content;
  return { ...rest, metadata };
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

/** The metadata, with a generation of one more when anything but metadata and status is another. */
function withGeneration(
  { rules }: WriteContext,
  before: StoredObject,
  next: Unversioned,
  { changed, removed }: Comparison,
): Unversioned['metadata'] {
  const { generation } = before.metadata;
  if (!rules.hasGeneration || generation === undefined) return next.metadata;
  const touched = [...Object.keys(changed ?? {}), ...Object.keys(removed ?? {})];
  const apart = rules.hasStatus ? ['f:metadata', 'f:status', 'f:apiVersion'] : ['f:metadata', 'f:apiVersion'];
  const isAsked = touched.some(field => !apart.includes(field)) || !sameJson(next['spec'], before['spec']);
  return isAsked ? { ...next.metadata, generation: generation + 1 } : next.metadata;
}

/** Deleted, and nothing keeps it any more. */
function isFreed({ metadata }: Unversioned): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}
