import type { OwnerReference, StoredObject } from '../../../cluster/cluster.ts';
import { placeOf } from '../../../reconcile/informer.ts';

/** Says that this object controls another: it goes with it, and a deletion in the foreground waits for it. */
export function ownerReference({ apiVersion, kind, metadata }: StoredObject): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Who controls an object; undefined for an orphan. */
export function controllerOf({ metadata }: StoredObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(owner => owner.controller);
}

/** The key of the controller of an object, if it is of that kind. */
export function controllerKey(object: StoredObject, kind: string): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === kind ? placeOf(object.metadata.namespace, owner.name) : undefined;
}

/** The older first; the same second is told apart by name. */
export function byAge(a: StoredObject, b: StoredObject): number {
  const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
