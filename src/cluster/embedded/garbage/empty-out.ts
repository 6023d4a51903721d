import type { StoredObject } from '../../cluster.ts';
import { storeKindOfDefinition } from '../kinds/custom-kinds.ts';
import { crdStoreKind, type KindRegistry } from '../kinds/kind-registry.ts';
import { crdFinalizer } from '../kinds/prepare-crd.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Address } from '../store/owner-index.ts';
import type { Transaction } from '../store/transaction.ts';
import { deleteObject } from '../write/delete-object.ts';
import { dropFinalizer } from './edit-object.ts';

/** Under which kind namespaces are kept. */
export const namespaceStoreKind = '/Namespace';

/**
 * Deletes what is in a namespace that is going, and the namespace itself when nothing is left in it. Returns how many objects
 * were in it. Looks through everything, so it is not to be called for each of them that goes.
 */
export function emptyNamespace(transaction: Transaction, registry: KindRegistry, address: Address): number {
  const namespace = transaction.find(address.kind, address.place);
  if (namespace?.metadata.deletionTimestamp === undefined) return 0;
  const found = contentOf(transaction, namespace.metadata.name);
  for (const { kind, object } of found) remove(transaction, registry, kind, object);
  const isEmpty = found.every(({ kind, place }) => transaction.find(kind, place) === undefined);
  if (isEmpty && (namespace.metadata.finalizers ?? []).length === 0) {
    transaction.remove(address.kind, namespace);
  }
  return found.length;
}

function contentOf(transaction: Transaction, namespace: string): (Address & { object: StoredObject })[] {
  const found: (Address & { object: StoredObject })[] = [];
  for (const objects of transaction.table.kinds()) {
    for (const object of objects.values()) {
      const { name, namespace: inside } = object.metadata;
      if (inside === namespace) found.push({ kind: objects.kind, place: placeOf(inside, name), object });
    }
  }
  return found;
}

/** Deletes the objects of a kind whose definition is going, and the definition itself when none is left. */
export function emptyDefinition(transaction: Transaction, registry: KindRegistry, address: Address): void {
  const definition = transaction.find(crdStoreKind, address.place);
  if (definition?.metadata.deletionTimestamp === undefined) return;
  if (!definition.metadata.finalizers?.includes(crdFinalizer)) return;
  const kind = storeKindOfDefinition(definition);
  const objects = transaction.table.of(kind);
  for (const object of [...objects.values()]) remove(transaction, registry, kind, object);
  if (objects.size === 0) dropFinalizer(transaction, address, definition, crdFinalizer);
}

/** By the kind it is kept under and not by the version it was written in: that one may not be served any more. */
function remove(transaction: Transaction, registry: KindRegistry, kind: string, object: StoredObject): void {
  const { apiVersion, metadata } = object;
  const { name, namespace } = metadata;
  const ref = { apiVersion, kind: object.kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const rules = registry.rulesOfStored(kind);
  if (rules) deleteObject(transaction, rules, ref, { propagation: 'Background' });
  else transaction.remove(kind, object); // nothing defines its kind any more
}
