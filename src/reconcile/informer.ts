import type { Cluster, ObjectType, Selection, StoredObject } from '../cluster/cluster.ts';
import { type FollowOptions, follow } from '../cluster/follow.ts';

/** How objects are found by something else than their name: the keys an object is kept under. */
export type Indexes = Readonly<Record<string, (object: StoredObject) => readonly string[]>>;

export interface InformerOptions extends Pick<FollowOptions, 'clock' | 'onTrouble'>, Selection {
  readonly indexes?: Indexes;
}

/** One way to find objects: by key, then by place. */
interface Index {
  readonly keysOf: Indexes[string];
  readonly found: Map<string, Map<string, StoredObject>>;
}

/** An object and what it was before; one of the two is missing when it came or went. */
export interface Change {
  readonly object: StoredObject | undefined;
  readonly before: StoredObject | undefined;
}

/** Under this index objects are kept by the uid of the controller that owns them. */
export const byOwner = 'owner';

/**
 * The objects of one kind, kept at hand and up to date. What it gives out is at least as new as the last write of ours that it was
 * told of (`saw`, `gone`): who creates an object and looks again finds it, and does not create it twice.
 */
export class Informer {
  readonly #cluster: Cluster;
  readonly #type: ObjectType;
  readonly #options: InformerOptions;
  readonly #objects = new Map<string, StoredObject>();
  /** What we wrote and the watch has not told yet, by place: older news of it are passed over. */
  readonly #written = new Map<string, StoredObject>();
  /** What we removed and the watch has not told yet, by uid: late news do not bring it back. */
  readonly #gone = new Set<string>();
  readonly #indexes = new Map<string, Index>();
  readonly #listeners: ((change: Change) => void)[] = [];
  readonly #synced: Promise<void>;
  #isSynced = () => {};

  constructor(cluster: Cluster, type: ObjectType, options: InformerOptions = {}) {
    this.#cluster = cluster;
    this.#type = type;
    this.#options = options;
    this.#synced = new Promise(resolve => {
      this.#isSynced = resolve;
    });
    this.addIndexes({ [byOwner]: ownersOf, ...options.indexes });
  }

  /** Further ways to find objects. A name that is taken keeps its meaning: give each way a name of its own. */
  addIndexes(indexes: Indexes): void {
    for (const [name, keysOf] of Object.entries(indexes)) {
      if (this.#indexes.has(name)) continue;
      const index: Index = { keysOf, found: new Map() };
      this.#indexes.set(name, index);
      for (const [place, object] of this.#objects) addTo(index, place, object);
    }
  }

  /** Everything that was there when it started is known. */
  get synced(): Promise<void> {
    return this.#synced;
  }

  /** Follows the cluster until the signal says stop. */
  async run(signal: AbortSignal): Promise<void> {
    const { indexes: _, ...options } = this.#options;
    for await (const told of follow(this.#cluster, this.#type, { ...options, signal })) {
      if (told.type === 'SYNCED') this.#allTold();
      else if (told.type === 'DELETED') this.#forget(told.object);
      else this.#told(told.object);
    }
    this.#isSynced();
  }

  get(namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#objects.get(placeOf(namespace, name));
  }

  all(): readonly StoredObject[] {
    return [...this.#objects.values()];
  }

  /** The objects kept under a key of an index. */
  by(index: string, key: string): readonly StoredObject[] {
    return [...(this.#indexes.get(index)?.found.get(key)?.values() ?? [])];
  }

  /** Told of every change from now on, in order. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** The answer to a write of ours: known from now on, before the watch tells it. */
  saw(object: StoredObject): void {
    if (this.#gone.has(object.metadata.uid)) return;
    const place = placeOf(object.metadata.namespace, object.metadata.name);
    const known = this.#objects.get(place);
    if (known && !isNewer(object, known)) return;
    this.#written.set(place, object);
    this.#put(place, object);
  }

  /** This very object was removed by a write of ours. */
  gone(object: StoredObject): void {
    const place = placeOf(object.metadata.namespace, object.metadata.name);
    if (this.#objects.get(place)?.metadata.uid !== object.metadata.uid) return;
    this.#gone.add(object.metadata.uid);
    this.#remove(place);
  }

  #told(object: StoredObject): void {
    if (this.#gone.has(object.metadata.uid)) return;
    const place = placeOf(object.metadata.namespace, object.metadata.name);
    const written = this.#written.get(place);
    if (written && isNewer(written, object)) return;
    this.#written.delete(place);
    if (written?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#put(place, object);
  }

  /** After a list nothing is outstanding, whatever became of the server. */
  #allTold(): void {
    this.#written.clear();
    this.#gone.clear();
    this.#isSynced();
  }

  #put(place: string, object: StoredObject): void {
    const before = this.#objects.get(place);
    this.#objects.set(place, object);
    this.#index(place, before, object);
    this.#tell({ object, before });
  }

  #forget(object: StoredObject): void {
    const place = placeOf(object.metadata.namespace, object.metadata.name);
    if (this.#gone.delete(object.metadata.uid)) return;
    if (this.#objects.get(place)?.metadata.uid === object.metadata.uid) this.#remove(place);
  }

  #remove(place: string): void {
    const before = this.#objects.get(place);
    this.#objects.delete(place);
    this.#written.delete(place);
    this.#index(place, before, undefined);
    this.#tell({ object: undefined, before });
  }

  #index(place: string, before: StoredObject | undefined, object: StoredObject | undefined): void {
    for (const index of this.#indexes.values()) {
      for (const key of before ? index.keysOf(before) : []) {
        const kept = index.found.get(key);
        kept?.delete(place);
        if (kept?.size === 0) index.found.delete(key);
      }
      if (object) addTo(index, place, object);
    }
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function addTo({ keysOf, found }: Index, place: string, object: StoredObject): void {
  for (const key of keysOf(object)) {
    const kept = found.get(key) ?? new Map<string, StoredObject>();
    found.set(key, kept.set(place, object));
  }
}

/** Where an object is, as text: the key of a pass. */
export function placeOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** The two halves of a place. */
export function partsOf(place: string): { readonly namespace: string; readonly name: string } {
  const slash = place.indexOf('/');
  return { namespace: place.slice(0, slash), name: place.slice(slash + 1) };
}

function ownersOf({ metadata }: StoredObject): readonly string[] {
  const controller = metadata.ownerReferences?.find(owner => owner.controller);
  return controller ? [controller.uid] : [];
}

/** Versions of one server are whole numbers that grow. */
function isNewer(object: StoredObject, known: StoredObject): boolean {
  const [a, b] = [object.metadata.resourceVersion, known.metadata.resourceVersion];
  return a.length === b.length ? a > b : a.length > b.length;
}
