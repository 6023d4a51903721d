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
} from '../../src/cluster/cluster.ts';

type Verb = 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'get' | 'list' | 'watch';

/** How often what was written, by kind and verb: `Oslc updateStatus`. Also writes that were refused: they cost as much. */
export type WriteCounts = Map<string, number>;

/** A cluster that counts what is written and read through it, each for itself, in whosever name. */
export class CountingCluster implements Cluster {
  readonly counts: WriteCounts;
  /** In the same words. A watch counts once, when it begins. */
  readonly reads: WriteCounts;
  readonly #inner: Cluster;

  constructor(inner: Cluster, counts: WriteCounts = new Map(), reads: WriteCounts = new Map()) {
    this.#inner = inner;
    this.counts = counts;
    this.reads = reads;
  }

  get(ref: ObjectRef): Promise<StoredObject> {
    this.#count('get', ref, this.reads);
    return this.#inner.get(ref);
  }

  list(type: ObjectType, options?: ListOptions): Promise<ObjectList> {
    this.#count('list', type, this.reads);
    return this.#inner.list(type, options);
  }

  watch(type: ObjectType, options?: WatchOptions): AsyncIterable<WatchEvent> {
    this.#count('watch', type, this.reads);
    return this.#inner.watch(type, options);
  }

  create(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    this.#count('create', object);
    return this.#inner.create(object, options);
  }

  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    this.#count('update', object);
    return this.#inner.update(object, options);
  }

  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    this.#count('updateStatus', object);
    return this.#inner.updateStatus(object, options);
  }

  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject> {
    this.#count('patch', ref);
    return this.#inner.patch(ref, patch, options);
  }

  delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject> {
    this.#count('delete', ref);
    return this.#inner.delete(ref, options);
  }

  as(account: Account): CountingCluster {
    return new CountingCluster(this.#inner.as(account), this.counts, this.reads);
  }

  #count(verb: Verb, { kind }: ObjectType, into: WriteCounts = this.counts): void {
    const key = `${kind} ${verb}`;
    into.set(key, (into.get(key) ?? 0) + 1);
  }
}
