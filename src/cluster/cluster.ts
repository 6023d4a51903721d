/**
 * Cluster: the one door to the objects of the world, real or embedded.
 *
 * In: objects and questions about them, in Kubernetes' own shapes. Out: objects, lists, watch events, or a `ClusterError` in
 * Kubernetes' own words. Never: knows what a service, a plan or a phase is; keeps anything between calls that a caller
 * could rely on.
 */
import type { JsonObject } from '../base/json.ts';

/** A kind of object, as a manifest names it. */
export interface ObjectType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object by name. `namespace` is absent for kinds that have none. */
export interface ObjectRef extends ObjectType {
  readonly name: string;
  readonly namespace?: string;
}

/** Metadata as an API server writes it. */
export interface Metadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly JsonObject[];
}

/** Whose an object is: when the owner goes, it goes. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object. What is below is the business of its kind. */
export interface ClusterObject extends ObjectType {
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

/** An object as a server gave it: it has a name, an identity and a version. */
export interface StoredObject extends ClusterObject {
  readonly metadata: Metadata & {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
  };
}

/** Which objects are asked for. */
export interface Selection {
  /** Without it: of all namespaces. */
  readonly namespace?: string;
  /** As `kubectl -l` takes it: `app=web,tier in (a, b),!old`. */
  readonly labelSelector?: string;
  /** `metadata.name=x`, `metadata.namespace=y`, and what the kind offers; `=`, `==`, `!=`. */
  readonly fieldSelector?: string;
}

/** How a list is read. */
export interface ListOptions extends Selection {
  /** At most so many items; the answer then says how to go on. */
  readonly limit?: number;
  /** The token of the page before. Gone when it is too old. */
  readonly continue?: string;
}

/** One page of a list, as of one moment. */
export interface ObjectList {
  readonly items: readonly StoredObject[];
  /** The moment: a watch from here misses nothing. */
  readonly resourceVersion: string;
  /** There is more; pass it as `continue`. */
  readonly continue?: string;
}

/** How a watch is begun. */
export interface WatchOptions extends Selection {
  /** From which moment on; without it, what is there comes first, as `ADDED`. */
  readonly resourceVersion?: string;
  /** Ends the watch. */
  readonly signal?: AbortSignal;
}

/** What happened. A bookmark says only how far the watch has come: its object has a resourceVersion and nothing else. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: ClusterObject;
}

/** How something is written. */
export interface WriteOptions {
  /** Who writes, for the ownership of fields. */
  readonly fieldManager?: string;
  /** Check and answer as if, and change nothing. */
  readonly dryRun?: boolean;
  /** What becomes of fields the schema does not know: an API server drops them, or refuses them when `Strict`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Told of fields that were dropped, for who serves others; of an API server nobody hears of them this way. */
  readonly onDropped?: (fields: readonly string[]) => void;
}

/** A change to a part of an object. */
export type Patch =
  /** RFC 7386: maps are merged, null takes away, everything else is replaced. */
  | { readonly type: 'merge'; readonly value: JsonObject }
  /**
   * The way of kubectl: as merge, but lists whose items have a key are merged item by item, and words that begin with `$` say
   * what else becomes of a map or list. Only for built-in kinds; others refuse it.
   */
  | { readonly type: 'strategic'; readonly value: JsonObject }
  /** RFC 6902: a list of operations, all or none. */
  | { readonly type: 'json'; readonly value: readonly JsonObject[] }
  /**
   * Server-side apply: what is in it is mine, what was mine and is no longer in it goes, what is somebody else's with
   * another value is a conflict unless `force`. Creates the object where it is not there.
   */
  | {
      readonly type: 'apply';
      readonly value: ClusterObject;
      readonly fieldManager: string;
      readonly force?: boolean;
    };

/** How a patch is written. `status` patches the status and nothing else. */
export interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status';
}

/** How an object is removed. */
export interface DeleteOptions {
  /** Only this very object, or only this version of it; a conflict otherwise. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /**
   * `Background`: it goes at once, what it owns after it. `Foreground`: what it owns (and blocks on) goes first.
   * `Orphan`: what it owns stays and is nobody's.
   */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /**
   * How long it may take to end; 0 removes it now. Only a Pod on a node is given time (of its spec, where this is absent):
   * it is marked, and stays until it is deleted with 0. A second deletion may make the time shorter, never longer.
   */
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** In whose name something is done. */
export interface Account {
  readonly user: string;
  readonly groups?: readonly string[];
}

/**
 * The objects of one cluster. Every method either does what it says or throws a `ClusterError`; none waits for anything but
 * the request itself. An acknowledged write is durable. Calls may run side by side.
 */
export interface Cluster {
  get(ref: ObjectRef): Promise<StoredObject>;
  list(type: ObjectType, options?: ListOptions): Promise<ObjectList>;
  /**
   * Everything that happens to the selected objects, in order, each object's last state for certain. Ends when the signal
   * says so or the server closes it; throws `Expired` when the moment asked for is too long ago.
   */
  watch(type: ObjectType, options?: WatchOptions): AsyncIterable<WatchEvent>;
  create(object: ClusterObject, options?: WriteOptions): Promise<StoredObject>;
  /** Replaces the object but for its status. With a resourceVersion: only that version, or a conflict; our own kinds need one. */
  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject>;
  /** Replaces the status and nothing else. */
  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject>;
  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject>;
  /** Returns the object as it was, or as it is while finalizers or time to end keep it. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject>;
  /** The same cluster, everything done in the name of this account. */
  as(account: Account): Cluster;
}
