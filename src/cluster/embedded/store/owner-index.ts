import type { OwnerReference, StoredObject } from '../../cluster.ts';

/** Where an object is to be found. */
export interface Address {
  readonly kind: string;
  readonly place: string;
}

/** Who owns what, by uid: kept up to date with every change, so that collecting garbage never looks through everything. */
export class OwnerIndex {
  readonly #addresses = new Map<string, Address>();
  /** By the uid of the owner, the uids of what names it. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Where the object of that uid is. */
  find(uid: string): Address | undefined {
    return this.#addresses.get(uid);
  }

  /** Where the objects are that name this owner. */
  dependentsOf(uid: string): Address[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap(dependent => this.#addresses.get(dependent) ?? []);
  }

  /** Takes note that `before` became `after`; either may be absent. */
  change(address: Address, before: StoredObject | undefined, after: StoredObject | undefined): void {
    const [old, now] = [ownersOf(before), ownersOf(after)];
    if (before && before.metadata.uid !== after?.metadata.uid) this.#addresses.delete(before.metadata.uid);
    if (after && after.metadata.uid !== before?.metadata.uid)
      this.#addresses.set(after.metadata.uid, address);
    if (old === now) return;
    if (before) for (const { uid } of old) this.#unlink(uid, before.metadata.uid);
    if (after) for (const { uid } of now) this.#link(uid, after.metadata.uid);
  }

  #link(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    if (dependents) dependents.add(dependent);
    else this.#dependents.set(owner, new Set([dependent]));
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}

const nobody: readonly OwnerReference[] = [];

function ownersOf(object: StoredObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? nobody;
}
