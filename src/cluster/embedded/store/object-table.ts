import type { StoredObject } from '../../cluster.ts';
import { freezeJson } from './freeze-json.ts';
import type { HistoryEvent } from './history.ts';
import { KindObjects } from './kind-objects.ts';
import { OwnerIndex } from './owner-index.ts';
import type { Change, ReadRevision, Revision } from './revision.ts';

/** All objects in memory, and the changes that are still kept: what every read is answered from. */
export class ObjectTable {
  readonly owners = new OwnerIndex();
  readonly #kinds = new Map<string, KindObjects>();
  /** Every change that is kept, oldest first; each is also in the history of its kind. */
  readonly #events: HistoryEvent[] = [];
  #gone = 0;
  #bytes = 0;
  #version = 0;
  #compacted = 0;

  /** The version of the last change. */
  get version(): number {
    return this.#version;
  }

  /** Up to which version changes were thrown away. */
  get compacted(): number {
    return this.#compacted;
  }

  get eventCount(): number {
    return this.#events.length - this.#gone;
  }

  /** How many bytes of JSON the kept changes have together. */
  get eventBytes(): number {
    return this.#bytes;
  }

  oldestEvent(): HistoryEvent | undefined {
    return this.#events[this.#gone];
  }

  kinds(): Iterable<KindObjects> {
    return this.#kinds.values();
  }

  of(kind: string): KindObjects {
    const known = this.#kinds.get(kind);
    if (known) return known;
    const made = new KindObjects(kind);
    this.#kinds.set(kind, made);
    return made;
  }

  find(kind: string, place: string): StoredObject | undefined {
    return this.#kinds.get(kind)?.get(place);
  }

  /** Takes the rows of a file, in order. Returns the versions nobody needs, which a full disk kept from being removed. */
  load(revisions: Iterable<ReadRevision>, compacted: number): number[] {
    const forgotten: number[] = [];
    for (const read of revisions) {
      const object = read.object ?? lastState(this.find(read.kind, read.place), read.version);
      // A deletion whose object is forgotten already is itself forgotten: nobody can ask for it.
      if (!object) continue;
      const revision = { ...read, object: freezeJson(object) };
      if (revision.version > compacted) this.add(revision);
      else forgotten.push(...unneeded(revision.change, revision.version, this.#put(revision)));
      this.#version = read.version;
    }
    this.#version = Math.max(this.#version, compacted);
    this.#compacted = compacted;
    return forgotten;
  }

  /** Carries a change out and keeps it. Its version must be higher than every one before. */
  add(revision: Revision): HistoryEvent {
    const before = this.#put(revision);
    const { version, kind, place, change, time, object, size } = revision;
    const event = { version, kind, place, change, time, object, size, before, told: undefined };
    this.#keep(event);
    return event;
  }

  /** Carries out again what `undoTo` took back, all of it and in the same order. */
  redo(events: readonly HistoryEvent[]): void {
    for (const event of events) {
      this.#put(event);
      this.#keep(event);
    }
  }

  /** Takes the last changes back until `version` is the last one. */
  undoTo(version: number): void {
    for (let event = this.#events.at(-1); event && event.version > version; event = this.#events.at(-1)) {
      const { kind, place, before } = event;
      const now = this.of(kind).set(place, before);
      this.owners.change({ kind, place }, now, before);
      this.of(kind).history.pop();
      this.#events.pop();
      this.#bytes -= event.size;
    }
    this.#version = version;
  }

  /** Throws the oldest changes away while `isTooOld` says so; returns the versions that nobody needs any more. */
  forget(isTooOld: (event: HistoryEvent) => boolean): number[] {
    const forgotten: number[] = [];
    for (let event = this.oldestEvent(); event && isTooOld(event); event = this.oldestEvent()) {
      this.#events[this.#gone] = undefined as never;
      this.#gone += 1;
      this.of(event.kind).history.dropFirst();
      this.#bytes -= event.size;
      this.#compacted = event.version;
      forgotten.push(...unneeded(event.change, event.version, event.before));
    }
    if (this.#gone > 1024) this.#events.splice(0, this.#gone);
    if (this.#gone > 1024) this.#gone = 0;
    return forgotten;
  }

  #keep(event: HistoryEvent): void {
    this.#events.push(event);
    this.of(event.kind).history.push(event);
    this.#bytes += event.size;
    this.#version = event.version;
  }

  #put({ kind, place, change, object }: Revision): StoredObject | undefined {
    const after = change === 'DELETED' ? undefined : object;
    const before = this.of(kind).set(place, after);
    this.owners.change({ kind, place }, before, after);
    return before;
  }
}

/** What nobody can ask for after a change is forgotten: the state before it, and a deletion. What is there now stays. */
function unneeded(change: Change, version: number, before: StoredObject | undefined): number[] {
  return [
    ...(before ? [Number(before.metadata.resourceVersion)] : []),
    ...(change === 'DELETED' ? [version] : []),
  ];
}

/** What is told of an object that was deleted: its state before, under the version of its deletion. */
export function lastState(before: StoredObject | undefined, version: number): StoredObject | undefined {
  return before && { ...before, metadata: { ...before.metadata, resourceVersion: String(version) } };
}
