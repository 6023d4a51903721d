import { CodedError } from '../../base/coded-error.ts';
import { isObject } from '../../base/json.ts';
import type {
  Account,
  Cluster,
  ClusterObject,
  DeleteOptions,
  ListOptions,
  ObjectList,
  ObjectRef,
  ObjectType,
  Patch,
  PatchOptions,
  StoredObject,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../cluster.ts';
import { ClusterError, isReason } from '../cluster-error.ts';
import {
  copyJson,
  copyObjectOfType,
  requireNamespaceName,
  requireRef,
  requireType,
} from '../request-door.ts';
import type { ServedKind } from '../served-kind.ts';
import { Collector } from './garbage/collector.ts';
import { expireEvents } from './garbage/expire-events.ts';
import { storeKindOfDefinition } from './kinds/custom-kinds.ts';
import { crdStoreKind, KindRegistry } from './kinds/kind-registry.ts';
import { apiVersionOf, type KindRules, storeKindOf } from './kinds/kind-rules.ts';
import { notFound } from './objects/refusals.ts';
import { seedCluster } from './seed-cluster.ts';
import { matcher } from './select/selection.ts';
import { placeOf } from './store/kind-objects.ts';
import { Store } from './store/store.ts';
import type { StoreOptions } from './store/store-options.ts';
import type { Transaction } from './store/transaction.ts';
import { listPage } from './watch/list-page.ts';
import { tooOld, WatchStream } from './watch/watch-stream.ts';
import { applyPatchToStore } from './write/apply-patch.ts';
import { createObject } from './write/create-object.ts';
import { deleteObject } from './write/delete-object.ts';
import { patchObject } from './write/patch-object.ts';
import { readRequest } from './write/read-request.ts';
import { updateObject } from './write/update-object.ts';
import type { WriteContext } from './write/write-context.ts';

/** What all views of one open store share. */
interface Shared {
  readonly store: Store;
  readonly registry: KindRegistry;
  readonly collector: Collector;
  readonly watches: Set<WatchStream>;
  readonly timers: readonly NodeJS.Timeout[];
  readonly state: { isClosed: boolean };
}

/** What a write is about, and how it is done. */
interface Asked {
  readonly type: ObjectType;
  readonly work: (context: WriteContext) => StoredObject;
}

function asked(type: ObjectType, work: Asked['work']): Asked {
  return { type, work };
}

/** Carries the answer of a write that is only tried out past the store, which takes the write back. */
class TriedOut {
  readonly answer: StoredObject;

  constructor(answer: StoredObject) {
    this.answer = answer;
  }
}

/**
 * A cluster of its own in a folder: the objects of Kubernetes with the semantics of an API server, durable, in this process.
 * What it gives out is shared and frozen. Where it differs from an API server on purpose is listed in docs/embedded-cluster.md.
 */
export class EmbeddedCluster implements Cluster {
  readonly #shared: Shared;
  readonly #account: Account | undefined;

  private constructor(shared: Shared, account?: Account) {
    this.#shared = shared;
    this.#account = account;
  }

  /**
   * Opens the cluster of a folder, or makes one. Throws a `CodedError` when the folder is held by another process
   * (`StoreHeld`), was written by a newer version (`StoreNewer`), is damaged (`StoreDamaged`) or has no room (`StoreFull`).
   */
  static async open(folder: string, options: StoreOptions = {}): Promise<EmbeddedCluster> {
    const store = Store.open(folder, options);
    const registry = new KindRegistry(store.table.of(crdStoreKind));
    const collector = new Collector(store, registry);
    const watches = new Set<WatchStream>();
    const every = (seconds: number, work: () => void) => setInterval(work, seconds * 1000).unref();
    const timers: NodeJS.Timeout[] = [];
    const cluster = new EmbeddedCluster({
      store,
      registry,
      collector,
      watches,
      timers,
      state: { isClosed: false },
    });
    store.onCommit(commit => {
      for (const { kind, change, object } of commit) {
        if (kind === crdStoreKind && change === 'DELETED') cluster.#endWatchesOf(object);
      }
    });
    try {
      await seedCluster(store, registry);
    } catch (error) {
      await cluster.close();
      // What the port says of a refused write is, to whoever opens, that the store cannot be opened.
      throw error instanceof ClusterError && error.cause instanceof CodedError ? error.cause : error;
    }
    timers.push(every(store.settings.upkeepSeconds, () => void cluster.#tryUpkeep()));
    timers.push(every(store.settings.bookmarkSeconds, () => cluster.#bookmark()));
    collector.lookAtAll();
    return cluster;
  }

  async get(ref: ObjectRef): Promise<StoredObject> {
    this.#refuseClosed();
    requireRef(ref);
    const rules = this.#rulesOf(ref);
    const found = this.#shared.store.table.find(storeKindOf(rules), placeOfRef(rules, ref));
    if (!found) throw notFound(rules, ref.name);
    return named(found, ref);
  }

  async list(type: ObjectType, options: ListOptions = {}): Promise<ObjectList> {
    this.#refuseClosed();
    requireNamespaceName(options.namespace);
    const rules = this.#rulesOf(type);
    const { table } = this.#shared.store;
    const page = listPage(table, rules, table.of(storeKindOf(rules)), options);
    return { ...page, items: page.items.map(item => named(item, type)) };
  }

  watch(type: ObjectType, options: WatchOptions = {}): AsyncIterable<WatchEvent> {
    return { [Symbol.asyncIterator]: () => this.#watch(type, options) };
  }

  create(object: ClusterObject, options: WriteOptions = {}): Promise<StoredObject> {
    return this.#write(options, () => {
      const copy = copyObjectOfType(object);
      requireNamespaceName(copy.metadata.namespace);
      return asked(copy, context => createObject(context, readRequest(context, copy)));
    });
  }

  update(object: ClusterObject, options: PatchOptions = {}): Promise<StoredObject> {
    return this.#write(options, () => {
      const copy = copyObjectOfType(options.subresource ? partsOfStatus(object, options) : object);
      requireRef({ ...copy, name: copy.metadata.name ?? '', ...namespaceOf(copy) });
      return asked(copy, context => updateObject(context, readRequest(context, copy)));
    });
  }

  updateStatus(object: ClusterObject, options: WriteOptions = {}): Promise<StoredObject> {
    return this.update(object, { ...options, subresource: 'status' });
  }

  patch(ref: ObjectRef, patch: Patch, options: PatchOptions = {}): Promise<StoredObject> {
    return this.#write(options, () => {
      requireRef(ref);
      const copy = copyJson(patch);
      return asked(ref, context =>
        copy.type === 'apply' ? applyPatchToStore(context, ref, copy) : patchObject(context, ref, copy),
      );
    });
  }

  delete(ref: ObjectRef, options: DeleteOptions = {}): Promise<StoredObject> {
    return this.#write(options.dryRun ? { dryRun: true } : {}, () => {
      requireRef(ref);
      return asked(ref, ({ transaction, rules }) => deleteObject(transaction, rules, ref, options));
    });
  }

  /** The store has one user: the account is kept for those who ask, and nothing is refused because of it. */
  as(account: Account): EmbeddedCluster {
    return new EmbeddedCluster(this.#shared, account);
  }

  /** In whose name this one acts. */
  get account(): Account | undefined {
    return this.#account;
  }

  /** Every kind that can be asked for now, in every version; the same list as long as no definition changes. */
  kinds(): readonly ServedKind[] {
    return this.#shared.registry.served();
  }

  /** Throws away what has become too old: changes kept for watches, and Events. Happens by itself now and then. */
  async upkeep(): Promise<void> {
    this.#shared.store.compact();
    this.#shared.collector.lookAtAll();
    await expireEvents(this.#shared.store);
  }

  async #tryUpkeep(): Promise<void> {
    try {
      await this.upkeep();
    } catch (error) {
      // A full store is told to whoever writes, and the next time comes.
      if (!isReason(error, 'ServiceUnavailable')) this.#shared.store.settings.onTrouble(error);
    }
  }

  /** Throws away all changes kept for watches: a watch from before this moment must list again. */
  compact(): void {
    this.#shared.store.compact(true);
  }

  /** Carries out what was asked for until now, ends all watches, and lets the folder go. */
  async close(): Promise<void> {
    const { store, collector, watches, timers, state } = this.#shared;
    for (const timer of timers) clearInterval(timer);
    collector.close();
    state.isClosed = true;
    for (const watch of [...watches]) watch.close();
    await store.close();
  }

  /** Reads the request at once, so that the caller may go on writing to what it gave, and carries it out in its turn. */
  #write(options: PatchOptions, read: () => Asked): Promise<StoredObject> {
    const { store } = this.#shared;
    const { subresource, dryRun } = options;
    let request: Asked;
    try {
      request = read();
    } catch (error) {
      return Promise.reject(error);
    }
    const { type, work } = request;
    const answered = store.write(transaction => {
      const rules = this.#rulesOf(type);
      const { random } = store.settings.clock;
      const context = { transaction, rules, options, subresource, random };
      const before = dryRun ? versionBefore(transaction, rules, type) : undefined;
      const answer = named(work(context), type);
      if (dryRun) throw new TriedOut(withVersion(answer, before));
      return answer;
    });
    return dryRun ? answered.catch(answerOfTry) : answered;
  }

  #watch(type: ObjectType, options: WatchOptions): AsyncIterator<WatchEvent> {
    const rules = this.#rulesOf(type);
    const { table } = this.#shared.store;
    const from = momentOf(options.resourceVersion);
    if (from !== undefined && from < table.compacted) throw tooOld();
    const { watches } = this.#shared;
    const watch = new WatchStream({
      objects: table.of(storeKindOf(rules)),
      matches: matcher(rules, options),
      apiVersion: apiVersionOf(rules),
      kind: rules.kind,
      from,
      version: () => table.version,
      signal: options.signal,
      onEnd: () => watches.delete(watch),
    });
    if (this.#shared.state.isClosed) watch.close();
    else if (!options.signal?.aborted) watches.add(watch);
    return watch;
  }

  #bookmark(): void {
    for (const watch of this.#shared.watches) watch.bookmark();
  }

  #rulesOf(type: ObjectType): KindRules {
    requireType(type);
    return this.#shared.registry.rulesOf(type);
  }

  /** What a closed store holds is what was there then: nobody shall take it for what is there now. */
  #refuseClosed(): void {
    if (this.#shared.state.isClosed) throw new ClusterError('ServiceUnavailable', 'the store is closed');
  }

  /** A kind that nothing defines any more has no watches: they end after what they have not told yet. */
  #endWatchesOf(definition: StoredObject): void {
    const kind = storeKindOfDefinition(definition);
    for (const watch of this.#shared.watches) if (watch.kind === kind) watch.finish();
  }
}

/** What a write of the status looks at: the rest stays as it is, whatever the caller says of it. A strict caller wants it read. */
function partsOfStatus(object: ClusterObject, { fieldValidation }: PatchOptions): ClusterObject {
  if (fieldValidation === 'Strict' || !isObject(object)) return object;
  const { apiVersion, kind, metadata, status } = object;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}

function namespaceOf({ metadata }: ClusterObject): { namespace?: string } {
  return metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
}

/** The version of what a write is about, before it. */
function versionBefore(transaction: Transaction, rules: KindRules, about: ObjectType): string | undefined {
  const { metadata, name, namespace } = about as Partial<ObjectRef> & Partial<ClusterObject>;
  const place = placeOf(
    rules.isNamespaced ? (namespace ?? metadata?.namespace) : undefined,
    name ?? metadata?.name ?? '',
  );
  return transaction.find(storeKindOf(rules), place)?.metadata.resourceVersion;
}

/** What was only tried out has the version that is there, or none. */
function withVersion(object: StoredObject, version: string | undefined): StoredObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const kept = version === undefined ? metadata : { ...metadata, resourceVersion: version };
  return { ...object, metadata: kept as StoredObject['metadata'] };
}

function answerOfTry(thrown: unknown): StoredObject {
  if (thrown instanceof TriedOut) return thrown.answer;
  throw thrown;
}

/** The moment of a watch; undefined for now. */
function momentOf(resourceVersion: string | undefined): number | undefined {
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') return undefined;
  if (/^\d+$/.test(resourceVersion)) return Number(resourceVersion);
  throw new ClusterError('Invalid', `resourceVersion: Invalid value: "${resourceVersion}"`, {
    causes: [
      {
        field: 'resourceVersion',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${resourceVersion}"`,
      },
    ],
  });
}

function placeOfRef(rules: KindRules, { name, namespace }: ObjectRef): string {
  return placeOf(rules.isNamespaced ? namespace : undefined, name);
}

/** The object under the version of the API that the caller speaks. */
function named(object: StoredObject, { apiVersion }: ObjectType): StoredObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
