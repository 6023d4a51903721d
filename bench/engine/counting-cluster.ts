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

type Verb = 'create' | 'update' | 'updateStatus' | 'patch' | 'delete';

/** How often what was written, by kind and verb: `Oslc updateStatus`. Also writes that were refused: they cost as much. */
export type WriteCounts = Map<string, number>;

/** A cluster that counts what is written through it, in whosever name. Reads are not counted. */
export class CountingCluster implements Cluster {
  readonly counts: WriteCounts;
  readonly #inner: Cluster;

  constructor(inner: Cluster, counts: WriteCounts = new Map()) {
    this.#inner = inner;
    this.counts = counts;
  }

  get(ref: ObjectRef): Promise<StoredObject> {
    return this.#inner.get(ref);
  }

  list(type: ObjectType, options?: ListOptions): Promise<ObjectList> {
    return this.#inner.list(type, options);
  }

  watch(type: ObjectType, options?: WatchOptions): AsyncIterable<WatchEvent> {
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
    return new CountingCluster(this.#inner.as(account), this.counts);
  }

  #count(verb: Verb, { kind }: ObjectType): void {
    const key = `${kind} ${verb}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}
