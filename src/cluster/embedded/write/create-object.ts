import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import type { ClusterObject, Metadata, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { createdFields } from '../apply/created-fields.ts';
import { type Ownership, ownershipOf, setOwnerships } from '../apply/managed-fields.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { keptContent } from '../objects/kept-content.ts';
import { generatedName, nameCauses } from '../objects/names.ts';
import { alreadyExists, badRequest, forbidden } from '../objects/refusals.ts';
import { takeUserMetadata, type Writable } from '../objects/user-metadata.ts';
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
  const written = rules.hasStatus ? withoutStatus(request) : request;
  const metadata = newMetadata(context, request.metadata, namespace, name);
  const draft = keptContent(rules, { ...written, metadata } as Unversioned);
  const object = rules.prepare ? rules.prepare(draft, undefined) : draft;
  const managed = ownerships ?? ownedByCreate(context, rules.keepsPrepared ? draft : object);
  checkObject(rules, object, undefined, nameCauses(rules.nameRule, name, request.metadata.generateName));
  const kind = storeKindOf(rules);
  const place = placeOf(namespace, name);
  if (transaction.find(kind, place)) throw alreadyExists(rules, name);
  setOwnerships(object.metadata, managed);
  return transaction.add(kind, object, place);
}

function ownedByCreate(context: WriteContext, written: Unversioned): Ownership[] {
  const { rules, transaction } = context;
  const owned = rules.hasStatus ? withoutStatus(written) : written;
  const isNew = rules.isCustom ? always : isNewInBuiltin;
  const fields = createdFields(rules.schema, owned as unknown as JsonObject, isNew);
  return [ownershipOf(writerOf(context, 'Update'), transaction.timestamp, fields)];
}

const always = () => true;

/** An object of a server's own language has its parts from the beginning, empty. */
const isNewInBuiltin = (part: string) => part !== 'metadata' && part !== 'spec';

function withoutStatus<T extends ClusterObject | Unversioned>(object: T): T {
  if (object['status'] === undefined) return object;
  const { status: _, ...rest } = object;
  return rest as T;
}

function newMetadata(
  { transaction, rules }: WriteContext,
  metadata: Metadata,
  namespace: string | undefined,
  name: string,
): Unversioned['metadata'] {
  const { generateName } = metadata;
  const made: Writable<Unversioned['metadata']> = {
    name,
    uid: randomUUID(),
    creationTimestamp: transaction.timestamp,
  };
  if (generateName !== undefined) made.generateName = generateName;
  if (namespace !== undefined) made.namespace = namespace;
  if (rules.hasGeneration) made.generation = 1;
  return takeUserMetadata(made, metadata);
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
