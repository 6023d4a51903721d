import type { StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { freezeJson } from './freeze-json.ts';
import type { HistoryEvent } from './history.ts';
import { placeOf } from './kind-objects.ts';
import type { ObjectTable } from './object-table.ts';
import { objectText } from './object-text.ts';
import { type Change, type Revision, type RevisionRow, rowOf } from './revision.ts';

/** How big an object may be: the limit of an API server with its database. */
const mostBytes = 1_500_000;

/** An object that has everything but the version it gets by being written. */
export type Unversioned = Omit<StoredObject, 'metadata'> & {
  readonly metadata: Omit<StoredObject['metadata'], 'resourceVersion'> & {
    readonly resourceVersion?: string;
  };
};

/**
 * What one write sees and does: the objects as the writes before it left them, and changes of its own. Nothing
 * of it is seen by readers until the whole group is durable.
 */
export class Transaction {
  /** Milliseconds since 1970, the same for the whole group. */
  readonly time: number;
  /** The same as text, as it stands in objects. */
  readonly timestamp: string;
  readonly table: ObjectTable;
  readonly rows: RevisionRow[] = [];
  /** What happened, in the order of the rows. */
  readonly events: HistoryEvent[] = [];

  constructor(table: ObjectTable, time: number) {
    this.table = table;
    this.time = time;
    this.timestamp = timestampOf(time);
  }

  find(kind: string, place: string): StoredObject | undefined {
    return this.table.find(kind, place);
  }

  /** Writes an object that is not there, at a place that was looked at, and takes it over: it gets its version and is frozen. */
  add(kind: string, object: Unversioned, place: string): StoredObject {
    return this.#write(kind, place, 'ADDED', object);
  }

  /** Writes an object, new or not, and takes it over: it gets its version and is frozen. */
  put(
    kind: string,
    object: Unversioned,
    place = placeOf(object.metadata.namespace, object.metadata.name),
  ): StoredObject {
    return this.#write(kind, place, this.find(kind, place) ? 'MODIFIED' : 'ADDED', object);
  }

  /** Removes an object that is there. Returns its last state, with the version of its removal. */
  remove(kind: string, object: StoredObject): StoredObject {
    return this.#write(kind, placeOf(object.metadata.namespace, object.metadata.name), 'DELETED', object);
  }

  #write(kind: string, place: string, change: Change, content: Unversioned): StoredObject {
    const version = this.table.version + 1;
    const object = versioned(content, String(version));
    const body = change === 'DELETED' ? '' : objectText(object);
    freezeJson(object);
    // A unit of text has at most three bytes: mostly there is no need to count them.
    const bytes = body.length * 3 > mostBytes ? Buffer.byteLength(body) : body.length;
    if (bytes > mostBytes)
      throw new ClusterError('BadRequest', `the object has ${bytes} bytes; the most is ${mostBytes}`);
    const revision: Revision = { version, kind, place, change, time: this.time, object, size: body.length };
    this.events.push(this.table.add(revision));
    this.rows.push(rowOf(revision, body));
    return object;
  }
}

let lastStamp = { second: Number.NaN, text: '' };

/** A time as it stands in objects. Many groups are carried out within a second, which is as fine as it gets. */
function timestampOf(time: number): string {
  const second = Math.floor(time / 1000);
  if (second !== lastStamp.second)
    lastStamp = { second, text: `${new Date(time).toISOString().slice(0, 19)}Z` };
  return lastStamp.text;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The object under its version: itself, but where it or its metadata is shared with what is there already. */
function versioned(content: Unversioned, resourceVersion: string): StoredObject {
  if (Object.isFrozen(content) || Object.isFrozen(content.metadata)) {
    return { ...content, metadata: { ...content.metadata, resourceVersion } } as unknown as StoredObject;
  }
  (content.metadata as Writable<Unversioned['metadata']>).resourceVersion = resourceVersion;
  return content as unknown as StoredObject;
}
