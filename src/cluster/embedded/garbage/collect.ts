import type { StoredObject } from '../../cluster.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { Address } from '../store/owner-index.ts';
import type { Transaction } from '../store/transaction.ts';
import { deleteObject, foregroundFinalizer, orphanFinalizer } from '../write/delete-object.ts';
import { dropFinalizer, editMetadata } from './edit-object.ts';
import { isOrphaning, isWaitingForDependents, ownerStateOf } from './owner-state.ts';

/**
 * Looks at one object and does what its owners or its own deletion ask for. Returns what is to be looked at next. Looking
 * twice does no harm.
 */
export function collect(
  transaction: Transaction,
  registry: KindRegistry,
  address: Address,
): readonly Address[] {
  const object = transaction.find(address.kind, address.place);
  if (!object) return [];
  if (isOrphaning(object)) return orphanDependents(transaction, address, object);
  const next = isWaitingForDependents(object) ? awaitDependents(transaction, address, object) : [];
  const rest = transaction.find(address.kind, address.place);
  if (rest && (rest.metadata.ownerReferences ?? []).length > 0) judge(transaction, registry, address, rest);
  return next;
}

/** Makes everything that names this owner nobody's, then lets the owner go. */
function orphanDependents(
  transaction: Transaction,
  address: Address,
  object: StoredObject,
): readonly Address[] {
  for (const dependent of transaction.table.owners.dependentsOf(object.metadata.uid)) {
    const found = transaction.find(dependent.kind, dependent.place);
    if (!found) continue;
    const ownerReferences = (found.metadata.ownerReferences ?? []).filter(
      one => one.uid !== object.metadata.uid,
    );
    editMetadata(transaction, dependent, found, { ownerReferences });
  }
  dropFinalizer(transaction, address, object, orphanFinalizer);
  return [];
}

/** Lets an owner go when nothing that blocks it is left; until then, what it owns is to be looked at. */
function awaitDependents(
  transaction: Transaction,
  address: Address,
  object: StoredObject,
): readonly Address[] {
  const { uid } = object.metadata;
  const dependents = transaction.table.owners.dependentsOf(uid);
  const isBlocked = dependents.some(({ kind, place }) =>
    transaction
      .find(kind, place)
      ?.metadata.ownerReferences?.some(one => one.uid === uid && one.blockOwnerDeletion === true),
  );
  if (!isBlocked) dropFinalizer(transaction, address, object, foregroundFinalizer);
  return dependents;
}

/** Deletes an object all of whose owners are gone or wait for it to go; forgets owners that are gone where another is left. */
function judge(
  transaction: Transaction,
  registry: KindRegistry,
  address: Address,
  object: StoredObject,
): void {
  if (object.metadata.deletionTimestamp !== undefined && !isWaitingForDependents(object)) return;
  const owners = (object.metadata.ownerReferences ?? []).map(owner => ({
    owner,
    state: ownerStateOf(transaction, object, owner),
  }));
  const solid = owners.filter(one => one.state === 'solid').map(one => one.owner);
  if (solid.length === owners.length) return;
  if (solid.length > 0) {
    editMetadata(transaction, address, object, { ownerReferences: solid });
    return;
  }
  if (isWaitingForDependents(object)) return;
  const isAwaited = owners.some(one => one.state === 'waiting');
  const dependents = transaction.table.owners.dependentsOf(object.metadata.uid);
  const inForeground = isAwaited && dependents.length > 0;
  if (inForeground && dependents.some(one => isInCircle(transaction, one)))
    unblock(transaction, address, object);
  remove(transaction, registry, address, inForeground);
}

/** What this one owns waits for its own dependents already: the two would wait for each other for ever. */
function isInCircle(transaction: Transaction, { kind, place }: Address): boolean {
  const found = transaction.find(kind, place);
  return found !== undefined && isWaitingForDependents(found);
}

function unblock(transaction: Transaction, address: Address, object: StoredObject): void {
  const ownerReferences = (object.metadata.ownerReferences ?? []).map(one => ({
    ...one,
    blockOwnerDeletion: false,
  }));
  editMetadata(transaction, address, object, { ownerReferences });
}

function remove(
  transaction: Transaction,
  registry: KindRegistry,
  address: Address,
  inForeground: boolean,
): void {
  const object = transaction.find(address.kind, address.place);
  if (!object) return;
  const { name, namespace } = object.metadata;
  const { apiVersion, kind } = object;
  const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const finalizers = object.metadata.finalizers ?? [];
  const propagation = finalizers.includes(orphanFinalizer)
    ? 'Orphan'
    : inForeground || finalizers.includes(foregroundFinalizer)
      ? 'Foreground'
      : 'Background';
  const rules = registry.rulesOfStored(address.kind);
  if (rules) deleteObject(transaction, rules, ref, { propagation });
  else transaction.remove(address.kind, object); // nothing defines its kind any more
}
