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
} from '../cluster/cluster.ts';
import { type CallRecord, CutLine } from './cut-line.ts';

/**
 * A cluster as one process sees it that is killed at a call: until then the cluster itself, from then on nothing. Calls throw `Cut`,
 * watches end. The line is shared with the other ports of the process, and with this cluster in the name of accounts.
 */
export class CutCluster implements Cluster {
  readonly line: CutLine;
  readonly #inner: Cluster;

  constructor(inner: Cluster, line: CutLine = new CutLine()) {
    this.#inner = inner;
    this.line = line;
  }

  /** Every call of the process so far. */
  calls(): readonly CallRecord[] {
    return this.line.calls();
  }

  get(ref: ObjectRef): Promise<StoredObject> {
    return this.line.call('cluster.get', sayRef(ref), () => this.#inner.get(ref));
  }

  list(type: ObjectType, options?: ListOptions): Promise<ObjectList> {
    return this.line.call('cluster.list', sayType(type, options), () => this.#inner.list(type, options));
  }

  watch(type: ObjectType, options: WatchOptions = {}): AsyncIterable<WatchEvent> {
    return { [Symbol.asyncIterator]: () => this.#watch(type, options) };
  }

  create(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.line.call('cluster.create', sayObject(object), () => this.#inner.create(object, options));
  }

  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.line.call('cluster.update', sayObject(object), () => this.#inner.update(object, options));
  }

  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.line.call('cluster.updateStatus', sayObject(object), () =>
      this.#inner.updateStatus(object, options),
    );
  }

  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject> {
    return this.line.call('cluster.patch', sayRef(ref), () => this.#inner.patch(ref, patch, options));
  }

  delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject> {
    return this.line.call('cluster.delete', sayRef(ref), () => this.#inner.delete(ref, options));
  }

  as(account: Account): CutCluster {
    return new CutCluster(this.#inner.as(account), this.line);
  }

  async *#watch(type: ObjectType, options: WatchOptions): AsyncGenerator<WatchEvent> {
    if (!this.line.opens('cluster.watch', sayType(type, options))) return;
    const { signal } = options;
    const ends = signal ? AbortSignal.any([signal, this.line.signal]) : this.line.signal;
    for await (const event of this.#inner.watch(type, { ...options, signal: ends })) {
      if (this.line.isCut) return;
      yield event;
    }
  }
}

function sayRef({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function sayObject({ kind, metadata }: ClusterObject): string {
  const { namespace, name, generateName = '' } = metadata;
  return sayRef({ apiVersion: '', kind, name: name ?? generateName, ...(namespace ? { namespace } : {}) });
}

function sayType({ kind }: ObjectType, { namespace, labelSelector }: ListOptions = {}): string {
  return [kind, namespace && `in ${namespace}`, labelSelector && `with ${labelSelector}`]
    .filter(Boolean)
    .join(' ');
}
