import type { OwnerReference, StoredObject } from '../../cluster.ts';
import { groupOf } from '../kinds/kind-rules.ts';
import type { Transaction } from '../store/transaction.ts';
import { foregroundFinalizer, orphanFinalizer } from '../write/delete-object.ts';

/** `solid`: is there. `absent`: gone, or another of that name. `waiting`: is being deleted, and waits for what it owns. */
export type OwnerState = 'solid' | 'absent' | 'waiting';

export function ownerStateOf(
  transaction: Transaction,
  dependent: StoredObject,
  owner: OwnerReference,
): OwnerState {
  const address = transaction.table.owners.find(owner.uid);
  const found = address && transaction.find(address.kind, address.place);
  if (!found) return 'absent';
  // A uid alone is not enough: who names another kind, name or namespace means something that is not there.
  const isMeant =
    found.metadata.name === owner.name &&
    found.kind === owner.kind &&
    groupOf(found.apiVersion) === groupOf(owner.apiVersion);
  const { namespace } = found.metadata;
  // What has no namespace cannot be owned by something that has: the owner cannot be found, so nothing is decided.
  if (dependent.metadata.namespace === undefined && namespace !== undefined) return 'solid';
  if (!isMeant || (namespace !== undefined && namespace !== dependent.metadata.namespace)) return 'absent';
  return isWaitingForDependents(found) ? 'waiting' : 'solid';
}

/** Deleted in the foreground: it goes after what it owns. */
export function isWaitingForDependents({ metadata }: StoredObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(foregroundFinalizer)
  );
}

/** Deleted so that what it owns becomes nobody's. */
export function isOrphaning({ metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(orphanFinalizer);
}
