import type { JsonObject } from '../../../base/json.ts';
import type { ObjectType, StoredObject } from '../../../cluster/cluster.ts';
import type { Indexes } from '../../../reconcile/informer.ts';
import { ownerReference } from '../object/owner.ts';
import { type Selector, selects } from '../object/selector.ts';
import type { Write } from './decision.ts';

/** Objects of one kind that a workload holds by its selector. */
export interface Claimed {
  readonly type: ObjectType;
  /** What it must be beside selected, so that an orphan is taken in. */
  readonly mayAdopt?: (owner: StoredObject, object: StoredObject) => boolean;
  /** The finalizers that come and go with the owner. */
  readonly finalizers?: readonly string[];
  /** How else these objects are looked up. */
  readonly indexes?: Indexes;
}

/**
 * Which objects become the owner's and which stop being so: an orphan that the selector meets is adopted, one of its own that
 * the selector does not meet is let go. An owner that is being deleted does neither.
 */
export function decideClaims(
  owner: StoredObject,
  claimed: Claimed,
  found: { readonly owned: readonly StoredObject[]; readonly orphans: readonly StoredObject[] },
): readonly Write[] {
  if (owner.metadata.deletionTimestamp !== undefined) return [];
  const selector = selectorOf(owner);
  const { mayAdopt = () => true, finalizers = [] } = claimed;
  const adopted = found.orphans.filter(
    object =>
      object.metadata.deletionTimestamp === undefined && selects(selector, object) && mayAdopt(owner, object),
  );
  const released = found.owned.filter(object => !selects(selector, object));
  return [
    ...adopted.map(object => adopt(owner, object, finalizers)),
    ...released.map(object => release(owner, object, finalizers)),
  ];
}

/** The selector of any workload. */
export function selectorOf(owner: StoredObject): Selector | undefined {
  return (owner['spec'] as { readonly selector?: Selector } | undefined)?.selector;
}

function adopt(owner: StoredObject, object: StoredObject, finalizers: readonly string[]): Write {
  const { ownerReferences = [], finalizers: before = [] } = object.metadata;
  return patchMetadata(object, {
    ownerReferences: [...ownerReferences, ownerReference(owner)],
    finalizers: [...new Set([...before, ...finalizers])],
  });
}

function release(owner: StoredObject, object: StoredObject, finalizers: readonly string[]): Write {
  const { ownerReferences = [], finalizers: before = [] } = object.metadata;
  return patchMetadata(object, {
    ownerReferences: ownerReferences.filter(one => one.uid !== owner.metadata.uid),
    finalizers: before.filter(one => !finalizers.includes(one)),
  });
}

function patchMetadata(object: StoredObject, metadata: object): Write {
  return { verb: 'patch', object, patch: { metadata: metadata as unknown as JsonObject } };
}
