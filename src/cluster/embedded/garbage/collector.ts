import { isReason } from '../../cluster-error.ts';
import { storeKindOfDefinition } from '../kinds/custom-kinds.ts';
import { crdStoreKind, type KindRegistry } from '../kinds/kind-registry.ts';
import type { HistoryEvent } from '../store/history.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Address } from '../store/owner-index.ts';
import type { Store } from '../store/store.ts';
import type { Transaction } from '../store/transaction.ts';
import { collect } from './collect.ts';
import { emptyDefinition, emptyNamespace, namespaceStoreKind } from './empty-out.ts';

/**
 * Garbage collection: follows every commit and carries out what it asks for, in writes of its own. It remembers nothing that
 * is not in the store, so after a crash it looks at everything once and goes on.
 */
export class Collector {
  readonly #store: Store;
  readonly #registry: KindRegistry;
  readonly #waiting = new Map<string, Address>();
  /** How many objects are left in namespaces that are going: only when the last one goes it is worth a look. */
  readonly #left = new Map<string, number>();
  #closed = false;

  constructor(store: Store, registry: KindRegistry) {
    this.#store = store;
    this.#registry = registry;
    store.onCommit(commit => {
      for (const event of commit) this.#follow(event);
      this.#run();
    });
  }

  /** Looks at everything: after a start, and now and then for what a full disk put off. */
  lookAtAll(): void {
    for (const objects of this.#store.table.kinds()) {
      for (const { metadata } of objects.values()) {
        if (metadata.ownerReferences === undefined && metadata.deletionTimestamp === undefined) continue;
        this.#enqueue({ kind: objects.kind, place: placeOf(metadata.namespace, metadata.name) });
      }
    }
    this.#run();
  }

  close(): void {
    this.#closed = true;
  }

  #follow({ kind, place, change, object, before }: HistoryEvent): void {
    const { owners } = this.#store.table;
    const { metadata } = object;
    if (metadata.ownerReferences !== undefined || metadata.deletionTimestamp !== undefined)
      this.#enqueue({ kind, place });
    // An owner that waits for what it owns: perhaps it has waited long enough.
    for (const { uid } of before?.metadata.ownerReferences ?? []) {
      const owner = owners.find(uid);
      if (owner) this.#enqueue(owner);
    }
    if (change !== 'DELETED') return;
    for (const dependent of owners.dependentsOf(metadata.uid)) this.#enqueue(dependent);
    this.#followRemoval(kind, metadata.namespace);
  }

  /** What is emptied out may be empty now. */
  #followRemoval(kind: string, namespace: string | undefined): void {
    const { table } = this.#store;
    if (namespace !== undefined) this.#followNamespace(namespace);
    if (table.of(kind).size > 0) return;
    for (const definition of table.of(crdStoreKind).values()) {
      if (definition.metadata.deletionTimestamp === undefined) continue;
      if (storeKindOfDefinition(definition) !== kind) continue;
      this.#enqueue({ kind: crdStoreKind, place: placeOf(undefined, definition.metadata.name) });
    }
  }

  #followNamespace(namespace: string): void {
    const left = (this.#left.get(namespace) ?? 1) - 1;
    if (left > 0) {
      this.#left.set(namespace, left);
      return;
    }
    this.#left.delete(namespace);
    const place = placeOf(undefined, namespace);
    const found = this.#store.table.find(namespaceStoreKind, place);
    if (found?.metadata.deletionTimestamp !== undefined) this.#enqueue({ kind: namespaceStoreKind, place });
  }

  #enqueue(address: Address): void {
    this.#waiting.set(`${address.kind} ${address.place}`, address);
  }

  #run(): void {
    if (this.#closed) return;
    for (const [key, address] of this.#waiting) {
      this.#waiting.delete(key);
      this.#store
        .write(transaction => this.#look(transaction, address))
        .then(
          next => {
            if (next.length === 0) return;
            for (const one of next) this.#enqueue(one);
            this.#run();
          },
          error => {
            // A full or closed store: what is to be done is seen again by `lookAtAll`.
            if (!isReason(error, 'ServiceUnavailable')) this.#store.settings.onTrouble(error);
          },
        );
    }
  }

  #look(transaction: Transaction, address: Address): readonly Address[] {
    if (address.kind === namespaceStoreKind) {
      const count = emptyNamespace(transaction, this.#registry, address);
      // Those that just went are told by the commit, and counted down then.
      if (count > 0) this.#left.set(address.place.slice(1), count);
    }
    if (address.kind === crdStoreKind) emptyDefinition(transaction, this.#registry, address);
    return collect(transaction, this.#registry, address);
  }
}
