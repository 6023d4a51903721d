import { compareText, type JsonObject, sameJson } from '../base/json.ts';
import type { Cluster, ClusterObject, ObjectRef, ObjectType, StoredObject } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import type { Indexes } from '../reconcile/informer.ts';
import { controllerOf } from '../runtime/workload/object/owner.ts';
import type { Write } from '../runtime/workload/run/decision.ts';
import type { View } from '../runtime/workload/run/view.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The objects of a cluster as a scripted node sees them in one tick, its own writes included, in the order of their places. Whoever was quicker
 * than a write of ours has made it void: the next tick sees what is there.
 */
export class NodeObjects implements View {
  readonly #cluster: Cluster;
  readonly #types: readonly ObjectType[];
  readonly #indexes: Indexes;
  readonly #byKind = new Map<string, Map<string, StoredObject>>();
  /** In their order, as long as nothing is written. */
  readonly #inOrder = new Map<string, readonly StoredObject[]>();
  readonly #named = new Map<string, number>();
  /** How many writes were tried since the objects were loaded. */
  writes = 0;
  /** The moment of the cluster when they were loaded. */
  version = '';

  constructor(cluster: Cluster, types: readonly ObjectType[], indexes: Indexes) {
    this.#cluster = cluster;
    this.#types = types;
    this.#indexes = indexes;
  }

  async load(): Promise<void> {
    this.writes = 0;
    this.#inOrder.clear();
    for (const type of this.#types) {
      const { items, resourceVersion } = await this.#cluster.list(type);
      this.#byKind.set(type.kind, new Map(items.map(item => [placeOf(item), item])));
      this.version = resourceVersion;
    }
  }

  all<T extends StoredObject>({ kind }: ObjectType): readonly T[] {
    let found = this.#inOrder.get(kind);
    if (!found) {
      const entries = [...(this.#byKind.get(kind) ?? [])].sort(([a], [b]) => compareText(a, b));
      found = entries.map(([, object]) => object);
      this.#inOrder.set(kind, found);
    }
    return found as unknown as readonly T[];
  }

  ownedBy<T extends StoredObject>({ metadata }: StoredObject, type: ObjectType): readonly T[] {
    const owned = this.all<T>(type).filter(object => controllerOf(object)?.uid === metadata.uid);
    return type.kind === 'Pod' ? youngestFirstToGo(owned) : owned;
  }

  orphansNear({ metadata }: StoredObject, type: ObjectType): readonly StoredObject[] {
    return this.all(type).filter(
      object => !controllerOf(object) && object.metadata.namespace === metadata.namespace,
    );
  }

  find<T extends StoredObject>(type: ObjectType, namespace: string | undefined, name: string): T | undefined {
    return this.#byKind.get(type.kind)?.get(`${namespace ?? ''}/${name}`) as T | undefined;
  }

  by<T extends StoredObject>(type: ObjectType, index: string, key: string): readonly T[] {
    return this.all<T>(type).filter(object => this.#indexes[index]?.(object).includes(key));
  }

  /** The object as it is known now, if it is still the same one. */
  latest<T extends StoredObject>(object: T): T | undefined {
    const { namespace, name, uid } = object.metadata;
    const known = this.find<T>(object, namespace, name);
    return known?.metadata.uid === uid ? known : undefined;
  }

  /** Carries one write of a controller out; false when somebody was quicker. */
  write(write: Write): Promise<boolean> {
    const { object } = write;
    if (write.verb === 'create') return this.create(write.object);
    if (write.verb === 'delete') return this.delete(write.object, write.propagation);
    if (write.verb === 'patch') return this.patch(write.object, write.patch);
    const finalizers = (this.latest(write.object)?.metadata.finalizers ?? []).filter(
      one => one !== write.finalizer,
    );
    return this.patch(object as StoredObject, { metadata: { finalizers } });
  }

  /** A generated name counts up instead of being random. */
  create(object: ClusterObject): Promise<boolean> {
    const { generateName, ...metadata } = object.metadata;
    const name = metadata.name ?? this.#nextName(generateName ?? '', object);
    return this.#put(() => this.#cluster.create({ ...object, metadata: { ...metadata, name } }));
  }

  /** A merge patch of the version that is known. */
  patch(object: StoredObject, { metadata, ...rest }: JsonObject): Promise<boolean> {
    const known = this.latest(object);
    if (!known) return Promise.resolve(true);
    const { uid, resourceVersion } = known.metadata;
    const value = { ...rest, metadata: { ...(metadata as JsonObject | undefined), uid, resourceVersion } };
    return this.#put(() => this.#cluster.patch(refOf(object), { type: 'merge', value }));
  }

  update(object: ClusterObject): Promise<boolean> {
    return this.#put(() => this.#cluster.update(object));
  }

  /** Nothing is written where nothing changes. */
  async writeStatus(object: StoredObject, status: object): Promise<boolean> {
    const known = this.latest(object);
    if (!known || sameJson(known['status'] ?? {}, status)) return true;
    return this.#put(() => this.#cluster.updateStatus({ ...known, status }));
  }

  delete(
    object: StoredObject,
    propagation: 'Background' | 'Foreground' = 'Background',
    grace?: number,
  ): Promise<boolean> {
    const { uid } = object.metadata;
    const options = { preconditions: { uid }, propagation };
    return this.#put(
      () =>
        this.#cluster.delete(
          refOf(object),
          grace === undefined ? options : { ...options, gracePeriodSeconds: grace },
        ),
      true,
    );
  }

  async #put(work: () => Promise<StoredObject>, isDeletion = false): Promise<boolean> {
    this.writes += 1;
    try {
      const written = await work();
      const objects = this.#byKind.get(written.kind);
      this.#inOrder.delete(written.kind);
      const isGoing = written.metadata.deletionTimestamp !== undefined;
      const stays =
        (written.metadata.finalizers ?? []).length > 0 || written.metadata.deletionGracePeriodSeconds !== 0;
      if (isGoing ? stays : !isDeletion) objects?.set(placeOf(written), written);
      else objects?.delete(placeOf(written));
      return true;
    } catch (error) {
      if (isReason(error, 'Conflict', 'NotFound', 'AlreadyExists')) return false;
      throw error;
    }
  }

  #nextName(beginning: string, { kind, metadata }: ClusterObject): string {
    const key = `${kind} ${metadata.namespace ?? ''}/${beginning}`;
    const number = (this.#named.get(key) ?? 0) + 1;
    this.#named.set(key, number);
    return `${beginning}${String(number).padStart(5, '0')}`;
  }
}

/** Of Pods that nothing tells apart a controller gives up the one with the smaller uid, which is chance: here the younger one goes. */
function youngestFirstToGo<T extends StoredObject>(pods: readonly T[]): readonly T[] {
  const byAge = pods.toSorted((a, b) => compareText(ageOf(a), ageOf(b)));
  return pods.map(pod => {
    const annotations = { [costAnnotation]: `${-byAge.indexOf(pod)}`, ...pod.metadata.annotations };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  });
}

function ageOf({ metadata }: StoredObject): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}

function placeOf({ metadata }: StoredObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** An object by its name. */
export function refOf({ apiVersion, kind, metadata }: StoredObject): ObjectRef {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
