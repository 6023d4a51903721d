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

/** Distinct objects, as `Kind namespace/name`. */
export interface Touched {
  readonly made: Set<string>;
  readonly removed: Set<string>;
  readonly changed: Set<string>;
  readonly read: Set<string>;
}

interface Counted {
  readonly counts: WriteCounts;
  readonly reads: WriteCounts;
  readonly touched: Touched;
}

/** Nothing yet. */
export function noneTouched(): Touched {
  return { made: new Set(), removed: new Set(), changed: new Set(), read: new Set() };
}

/** A cluster that counts what is written and read through it, each for itself, in whosever name. */
export class CountingCluster implements Cluster {
  readonly counts: WriteCounts;
  /** In the same words. A watch counts once, when it begins. */
  readonly reads: WriteCounts;
  /** Objects that came, went or were changed, by what it was: each at least once, so so many requests are the least. */
  readonly touched: Touched;
  readonly #inner: Cluster;

  constructor(
    inner: Cluster,
    { counts = new Map(), reads = new Map(), touched = noneTouched() }: Partial<Counted> = {},
  ) {
    this.#inner = inner;
    this.counts = counts;
    this.reads = reads;
    this.touched = touched;
  }

  get(ref: ObjectRef): Promise<StoredObject> {
    this.#count('get', ref, this.reads);
    this.touched.read.add(placeOf(ref));
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
    return this.#inner.create(object, options).then(made => this.#touch('made', made));
  }

  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    this.#count('update', object);
    return this.#inner.update(object, options).then(made => this.#touch('changed', made));
  }

  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    this.#count('updateStatus', object);
    return this.#inner.updateStatus(object, options);
  }

  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject> {
    this.#count('patch', ref);
    return this.#inner.patch(ref, patch, options).then(made => this.#touch('changed', made));
  }

  delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject> {
    this.#count('delete', ref);
    return this.#inner.delete(ref, options).then(gone => this.#touch('removed', gone));
  }

  as(account: Account): CountingCluster {
    return new CountingCluster(this.#inner.as(account), this);
  }

  #touch(how: keyof Touched, object: StoredObject): StoredObject {
    const { kind, metadata } = object;
    this.touched[how].add(placeOf({ kind, ...metadata }));
    return object;
  }

  #count(verb: Verb, { kind }: ObjectType, into: WriteCounts = this.counts): void {
    const key = `${kind} ${verb}`;
    into.set(key, (into.get(key) ?? 0) + 1);
  }
}

function placeOf({ kind, namespace, name }: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace ?? '-'}/${name}`;
}
