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
} from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';

/**
 * The cluster for a pass that may go on after its manager was relieved, because its machine stood still for a while: asks before every
 * write whether it still may, and throws `ServiceUnavailable` where not. What is already on its way to the server is not held back.
 */
export class FencedCluster implements Cluster {
  readonly #inner: Cluster;
  readonly #mayWrite: () => Promise<boolean>;

  constructor(inner: Cluster, mayWrite: () => Promise<boolean>) {
    this.#inner = inner;
    this.#mayWrite = mayWrite;
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
    return this.#write(() => this.#inner.create(object, options));
  }

  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.#write(() => this.#inner.update(object, options));
  }

  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.#write(() => this.#inner.updateStatus(object, options));
  }

  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject> {
    return this.#write(() => this.#inner.patch(ref, patch, options));
  }

  delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject> {
    return this.#write(() => this.#inner.delete(ref, options));
  }

  as(account: Account): FencedCluster {
    return new FencedCluster(this.#inner.as(account), this.#mayWrite);
  }

  async #write<T>(work: () => Promise<T>): Promise<T> {
    if (await this.#mayWrite()) return work();
    // Passes: the next pass finds that there is nothing to do for this manager any more.
    throw new ClusterError('ServiceUnavailable', 'another manager has taken over; this one writes no more');
  }
}
