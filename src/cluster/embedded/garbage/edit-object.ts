import type { StoredObject } from '../../cluster.ts';
import type { Address } from '../store/owner-index.ts';
import type { Transaction } from '../store/transaction.ts';

/** Writes an object with other metadata; removes it when it was deleted and nothing keeps it any more. */
export function editMetadata(
  transaction: Transaction,
  { kind }: Pick<Address, 'kind'>,
  object: StoredObject,
  change: Partial<StoredObject['metadata']>,
): void {
  const metadata = { ...object.metadata, ...change };
  const kept = Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  ) as unknown as StoredObject['metadata'];
  const isFreed =
    kept.deletionTimestamp !== undefined &&
    kept.finalizers === undefined &&
    (kept.deletionGracePeriodSeconds ?? 0) === 0;
  if (isFreed) transaction.remove(kind, object);
  else transaction.put(kind, { ...object, metadata: kept });
}

/** Takes one finalizer away. */
export function dropFinalizer(
  transaction: Transaction,
  address: Address,
  object: StoredObject,
  finalizer: string,
): void {
  const finalizers = (object.metadata.finalizers ?? []).filter(one => one !== finalizer);
  editMetadata(transaction, address, object, { finalizers });
}
