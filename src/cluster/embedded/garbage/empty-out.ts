import type { StoredObject } from '../../cluster.ts';
import { crdStoreKind, type KindRegistry } from '../kinds/kind-registry.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { crdFinalizer } from '../kinds/prepare-crd.ts';
import type { Address } from '../store/owner-index.ts';
import type { Transaction } from '../store/transaction.ts';
import { deleteObject } from '../write/delete-object.ts';
import { dropFinalizer } from './edit-object.ts';

/** Under which kind namespaces are kept. */
export const namespaceStoreKind = '/Namespace';

/** Deletes what is in a namespace that is going, and the namespace itself when nothing is left in it. */
export function emptyNamespace(transaction: Transaction, registry: KindRegistry, address: Address): void {
  const namespace = transaction.find(address.kind, address.place);
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  const { name } = namespace.metadata;
  const content = () =>
    [...transaction.table.kinds()].flatMap(objects =>
      [...objects.values()].filter(object => object.metadata.namespace === name),
    );
  for (const object of content()) remove(transaction, registry, object);
  if (content().length > 0 || (namespace.metadata.finalizers ?? []).length > 0) return;
  transaction.remove(address.kind, namespace);
}

/** Deletes the objects of a kind whose definition is going, and the definition itself when none is left. */
export function emptyDefinition(transaction: Transaction, registry: KindRegistry, address: Address): void {
  const definition = transaction.find(crdStoreKind, address.place);
  if (definition?.metadata.deletionTimestamp === undefined) return;
  if (!definition.metadata.finalizers?.includes(crdFinalizer)) return;
  const kinds = [...new Set(registry.kindsOf(definition).map(storeKindOf))];
  const content = () => kinds.flatMap(kind => [...transaction.table.of(kind).values()]);
  for (const object of content()) remove(transaction, registry, object);
  if (content().length === 0) dropFinalizer(transaction, address, definition, crdFinalizer);
}

function remove(transaction: Transaction, registry: KindRegistry, object: StoredObject): void {
  const { apiVersion, kind } = object;
  const { name, namespace } = object.metadata;
  const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  deleteObject(transaction, registry.rulesOf(ref), ref, { propagation: 'Background' });
}
