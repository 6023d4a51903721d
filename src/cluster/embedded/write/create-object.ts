import { randomUUID } from 'node:crypto';
import type { Json } from '../../../base/json.ts';
import type { ClusterObject, Metadata, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { compare } from '../apply/compare.ts';
import { afterUpdate, type Ownership, ownable, writeOwnerships } from '../apply/managed-fields.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { generatedName, nameCauses } from '../objects/names.ts';
import { alreadyExists, badRequest, forbidden } from '../objects/refusals.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Unversioned } from '../store/transaction.ts';
import { checkObject } from './check-object.ts';
import { type WriteContext, writerOf } from './write-context.ts';

/** So often a generated name that is taken is replaced by another. */
const nameTries = 8;

/** Makes an object that is not there. `ownerships` is given by an apply, which knows better who owns what. */
export function createObject(
  context: WriteContext,
  request: ClusterObject,
  ownerships?: readonly Ownership[],
): StoredObject {
  const { transaction, rules } = context;
  if (request.metadata.resourceVersion !== undefined) {
    throw new ClusterError('InternalError', 'resourceVersion should not be set on objects to be created');
  }
  const namespace = namespaceOf(context, request.metadata);
  const name = nameOf(context, request.metadata, namespace);
  refuseClosedNamespace(context, namespace, name);
  const { status, ...content } = request;
  const written: ClusterObject = rules.hasStatus || status === undefined ? content : request;
  const managed = ownerships ?? ownedByCreate(context, written);
  const draft = {
    ...written,
    metadata: newMetadata(context, request.metadata, namespace, name),
  } as Unversioned;
  const object = rules.prepare ? rules.prepare(draft, undefined) : draft;
  checkObject(rules, object, undefined, nameCauses(rules.nameRule, name, request.metadata.generateName));
  const kind = storeKindOf(rules);
  if (transaction.find(kind, placeOf(namespace, name))) throw alreadyExists(rules, name);
  const managedFields = writeOwnerships(managed);
  return transaction.put(kind, { ...object, metadata: { ...object.metadata, managedFields } });
}

function ownedByCreate(context: WriteContext, written: ClusterObject): Ownership[] {
  const { rules, transaction } = context;
  const writer = writerOf(context, 'Update');
  // An object of a server's own language has all its parts from the beginning, empty.
  const empty: Json = rules.isCustom ? {} : { metadata: {}, spec: {} };
  const { changed } = compare(rules.schema, empty, written as unknown as Json);
  const owned = ownable(changed, writer, rules.hasStatus);
  return afterUpdate([], { changed: owned, removed: undefined }, writer, transaction.timestamp);
}

function newMetadata(
  { transaction, rules }: WriteContext,
  metadata: Metadata,
  namespace: string | undefined,
  name: string,
): Unversioned['metadata'] {
  const { generateName, labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    name,
    ...(generateName === undefined ? {} : { generateName }),
    ...(namespace === undefined ? {} : { namespace }),
    uid: randomUUID(),
    creationTimestamp: transaction.timestamp,
    ...(rules.hasGeneration ? { generation: 1 } : {}),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined || finalizers.length === 0 ? {} : { finalizers }),
    ...(ownerReferences === undefined || ownerReferences.length === 0 ? {} : { ownerReferences }),
  };
}

function namespaceOf({ rules }: WriteContext, { namespace }: Metadata): string | undefined {
  if (!rules.isNamespaced) return undefined;
  if (namespace === undefined) {
    throw badRequest('an empty namespace may not be set during creation');
  }
  return namespace;
}

function nameOf(
  { transaction, rules, random }: WriteContext,
  metadata: Metadata,
  namespace: string | undefined,
): string {
  const { name = '', generateName } = metadata;
  if (name !== '' || !generateName) return name;
  let generated = generatedName(generateName, random);
  for (let tries = 1; tries < nameTries; tries++) {
    if (!transaction.find(storeKindOf(rules), placeOf(namespace, generated))) break;
    generated = generatedName(generateName, random);
  }
  return generated;
}

/** Nothing is made in a namespace that is not there or that is going. */
function refuseClosedNamespace(
  { transaction, rules }: WriteContext,
  namespace: string | undefined,
  name: string,
): void {
  if (namespace === undefined) return;
  const found = transaction.find('/Namespace', placeOf(undefined, namespace));
  if (!found) throw new ClusterError('NotFound', `namespaces "${namespace}" not found`);
  if (found.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    rules,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
}

/** The name and place that a request means, for what is there already. */
export function placeOfRequest({ rules }: WriteContext, { name, namespace }: Metadata): string {
  if (name === undefined || name === '') throw badRequest('name must be provided');
  return placeOf(rules.isNamespaced ? namespace : undefined, name);
}
