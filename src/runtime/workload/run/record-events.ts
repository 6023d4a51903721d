import type { Clock } from '../../../cluster/clock.ts';
import type { ObjectRef, StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import type { Reconciling } from '../../../reconcile/reconcile.ts';
import { timestamp } from '../object/timestamps.ts';
import type { Note } from './decision.ts';

/** How many notes are remembered, so that one told again is counted and not written again. */
const remembered = 1000;

/** Writes notes down as Events. They are for people: nothing waits for them, and one that cannot be written is left out. */
export class EventRecorder {
  readonly #reconciling: Reconciling;
  readonly #clock: Clock;
  readonly #component: string;
  readonly #told = new Map<string, { readonly ref: ObjectRef; readonly count: number }>();
  #last = 0;

  constructor(reconciling: Reconciling, clock: Clock, component: string) {
    this.#reconciling = reconciling;
    this.#clock = clock;
    this.#component = component;
  }

  tell(object: StoredObject, note: Note): void {
    void this.#write(object, note).catch(() => {});
  }

  async #write(object: StoredObject, note: Note): Promise<void> {
    const key = [object.metadata.uid, note.type, note.reason, note.message].join(' ');
    const known = this.#told.get(key);
    this.#told.delete(key);
    if (known && (await this.#count(key, known.ref, known.count + 1))) return;
    const ref = this.#refFor(object);
    this.#remember(key, ref, 1);
    await this.#reconciling.create(this.#event(object, note, ref));
  }

  async #count(key: string, ref: ObjectRef, count: number): Promise<boolean> {
    this.#remember(key, ref, count);
    const value = { count, lastTimestamp: timestamp(this.#clock.wall()) };
    try {
      await this.#reconciling.patch(ref, { type: 'merge', value });
      return true;
    } catch (error) {
      if (isReason(error, 'NotFound')) return false;
      throw error;
    }
  }

  #remember(key: string, ref: ObjectRef, count: number): void {
    this.#told.set(key, { ref, count });
    const [oldest] = this.#told.keys();
    if (this.#told.size > remembered && oldest !== undefined) this.#told.delete(oldest);
  }

  /** Named after the object and the moment; two of one moment differ by a little. */
  #refFor({ metadata }: StoredObject): ObjectRef {
    this.#last = Math.max(this.#clock.wall() * 1000, this.#last + 1);
    const name = `${metadata.name}.${Math.floor(this.#last).toString(16)}`;
    return { apiVersion: 'v1', kind: 'Event', namespace: metadata.namespace ?? 'default', name };
  }

  #event(object: StoredObject, { type, reason, message }: Note, ref: ObjectRef) {
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    const now = timestamp(this.#clock.wall());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: ref.name, namespace: namespace ?? 'default' },
      involvedObject: {
        apiVersion,
        kind,
        name,
        uid,
        resourceVersion,
        ...(namespace === undefined ? {} : { namespace }),
      },
      type,
      reason,
      message: message.slice(0, 1024),
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component: this.#component },
      reportingComponent: this.#component,
    };
  }
}
