/**
 * Reconcile: objects at hand, and a pass for whatever changed. What every controller stands on, of the embedded runtime and of the operator.
 *
 * In: a cluster, and for each kind of controller which changes concern which keys. Out: passes, one at a time per key, again after a
 * failure. Never: knows what a pass does, sleeps inside one, or decides anything.
 */
import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../cluster/clock.ts';
import type {
  Cluster,
  ClusterObject,
  DeleteOptions,
  ObjectRef,
  ObjectType,
  Patch,
  PatchOptions,
  StoredObject,
  WriteOptions,
} from '../cluster/cluster.ts';
import { type Change, type Indexes, Informer } from './informer.ts';
import { type Again, WorkQueue } from './work-queue.ts';

export interface ReconcileOptions {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Told of everything that went wrong and is tried again, with what was being done. */
  readonly onTrouble?: (doing: string, error: unknown, waitSeconds: number) => void;
  /** Told of every pass that has ended. */
  readonly onPass?: (pass: EndedPass) => void;
  /** Only the objects of this namespace; of all where it is absent. */
  readonly namespace?: string;
}

/** A pass that has ended, well or not. */
export interface EndedPass {
  readonly controller: string;
  readonly key: string;
  readonly seconds: number;
  /** What it threw; it is repeated then. */
  readonly error?: unknown;
}

/** One kind of controller. */
export interface Controller {
  /** For messages: `deployment`. */
  readonly name: string;
  /** Brings one key closer to what is wanted. May be cut off at any line and is then run again. */
  pass(key: string): Promise<Again>;
  /** Whose changes concern which keys. */
  readonly watches: readonly Watched[];
  readonly workers?: number;
}

export interface Watched {
  readonly type: ObjectType;
  /** The keys a change concerns; it is asked for the state before and the state after. */
  keysOf(object: StoredObject): readonly string[];
  /**
   * How long a change to this state may wait for more, all of which are one pass then: for what a pass would only sum up. Without it, and
   * for what is removed, the pass is at once.
   */
  gatherSeconds?(object: StoredObject): number;
  /** Whether a change concerns anybody at all; every one does where this is absent. */
  isNews?(change: Change): boolean;
}

/**
 * The informers of one process, each kind followed once, and the cluster with the writes of this process seen at once.
 * Ask for all informers before `start`; run controllers after it.
 */
export class Reconciling {
  readonly #cluster: Cluster;
  readonly #options: ReconcileOptions;
  readonly #informers = new Map<string, Informer>();
  /** Those that nobody waits for. */
  readonly #late = new Set<Informer>();
  readonly #running: Promise<void>[] = [];
  readonly #queues: WorkQueue[] = [];

  constructor(cluster: Cluster, options: ReconcileOptions) {
    this.#cluster = cluster;
    this.#options = options;
    // Every informer and every queue listens to it: many listeners are no leak here.
    setMaxListeners(0, options.signal);
  }

  /** The informer of a kind, with the indexes of all who asked. Who brings indexes asks before `start`. */
  informer(type: ObjectType, indexes: Indexes = {}): Informer {
    const key = `${type.apiVersion} ${type.kind}`;
    const known = this.#informers.get(key);
    if (known) {
      known.addIndexes(indexes);
      return known;
    }
    const { clock, onTrouble, namespace } = this.#options;
    const informer = new Informer(this.#cluster, type, {
      indexes,
      ...(namespace === undefined ? {} : { namespace }),
      ...(clock ? { clock } : {}),
      ...(onTrouble ? { onTrouble: (error, wait) => onTrouble(`following ${type.kind}`, error, wait) } : {}),
    });
    this.#informers.set(key, informer);
    return informer;
  }

  /** The informer of a kind that the cluster may not have, or not let us see: it is followed when it can be, and `start` does not wait for it. */
  lateInformer(type: ObjectType): Informer {
    const informer = this.informer(type);
    this.#late.add(informer);
    return informer;
  }

  /** Follows everything asked for; returns when all that is there is known. */
  async start(): Promise<void> {
    const informers = [...this.#informers.values()];
    for (const informer of informers) this.#running.push(informer.run(this.#options.signal));
    await Promise.all(
      informers.filter(informer => !this.#late.has(informer)).map(informer => informer.synced),
    );
  }

  /** Runs a controller: a pass for everything there is, then for what changes. The queue takes further keys. */
  run(controller: Controller): WorkQueue {
    const { signal, clock, onTrouble } = this.#options;
    const queue = new WorkQueue(key => this.#pass(controller, key), {
      signal,
      ...(clock ? { clock } : {}),
      ...(controller.workers ? { workers: controller.workers } : {}),
      onTrouble: (key, error, wait) => onTrouble?.(`${controller.name} ${key}`, error, wait),
    });
    for (const watched of controller.watches) {
      const { type } = watched;
      const informer = this.informer(type);
      const add = (object: StoredObject | undefined, seconds: number) => {
        for (const key of object ? watched.keysOf(object) : []) queue.addAfter(key, seconds);
      };
      informer.onChange(change => {
        if (watched.isNews?.(change) === false) return;
        const { object, before } = change;
        const seconds = object ? (watched.gatherSeconds?.(object) ?? 0) : 0;
        add(before, seconds);
        add(object, seconds);
      });
      for (const object of informer.all()) add(object, 0);
    }
    this.#queues.push(queue);
    return queue;
  }

  async #pass(controller: Controller, key: string): Promise<Again> {
    const { onPass, clock = systemClock } = this.#options;
    const began = clock.monotonic();
    const tell = (more: { readonly error?: unknown } = {}) =>
      onPass?.({ controller: controller.name, key, seconds: (clock.monotonic() - began) / 1000, ...more });
    try {
      const again = await controller.pass(key);
      tell();
      return again;
    } catch (error) {
      tell({ error });
      throw error;
    }
  }

  /** After the signal: everything that was going on has ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running, ...this.#queues.map(queue => queue.idle())]);
  }

  create(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.#see(this.#cluster.create(object, options));
  }

  update(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.#see(this.#cluster.update(object, options));
  }

  updateStatus(object: ClusterObject, options?: WriteOptions): Promise<StoredObject> {
    return this.#see(this.#cluster.updateStatus(object, options));
  }

  patch(ref: ObjectRef, patch: Patch, options?: PatchOptions): Promise<StoredObject> {
    return this.#see(this.#cluster.patch(ref, patch, options));
  }

  /** Deletes; the informer knows whether it is gone or only marked. */
  async delete(ref: ObjectRef, options?: DeleteOptions): Promise<StoredObject> {
    const object = await this.#cluster.delete(ref, options);
    const informer = this.#informers.get(`${ref.apiVersion} ${ref.kind}`);
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata;
    // A Pod that runs nowhere goes at once too: it has a mark, and no time.
    const isGone =
      finalizers.length === 0 && (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0);
    if (isGone) informer?.gone(object);
    else informer?.saw(object);
    return object;
  }

  async #see(write: Promise<StoredObject>): Promise<StoredObject> {
    const object = await write;
    this.#informers.get(`${object.apiVersion} ${object.kind}`)?.saw(object);
    return object;
  }
}
