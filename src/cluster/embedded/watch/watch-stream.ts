import type { ClusterObject, StoredObject, WatchEvent } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import type { Matches } from '../select/selection.ts';
import type { HistoryEvent } from '../store/history.ts';
import type { KindObjects } from '../store/kind-objects.ts';

/** What a watch is begun with. */
export interface WatchInput {
  readonly objects: KindObjects;
  readonly matches: Matches | undefined;
  /** As the caller calls the kind. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The moment to begin after; undefined for now, with what is there as `ADDED` first. */
  readonly from: number | undefined;
  /** The last version of the store at this moment. */
  readonly version: () => number;
  readonly signal: AbortSignal | undefined;
  /** Is told when the watch is over. */
  readonly onEnd: () => void;
}

type Result = IteratorResult<WatchEvent, undefined>;

/**
 * One watch. It keeps nothing but a place in the history of its kind, which all watches share: a slow reader holds up
 * nobody and costs nothing. When the history moves on past that place, the watch ends with `Expired`.
 */
export class WatchStream implements AsyncIterableIterator<WatchEvent> {
  readonly #input: WatchInput;
  #first: readonly StoredObject[];
  #shown = 0;
  #next: number;
  #bookmark: boolean;
  #over = false;
  #waiting: ((result: Result) => void) | undefined;
  #failed: ((error: unknown) => void) | undefined;
  #forget: (() => void) | undefined;

  constructor(input: WatchInput) {
    const { objects, from, matches, signal } = input;
    this.#input = input;
    this.#next = from === undefined ? objects.history.end : objects.history.after(from);
    this.#first = from === undefined ? initial(objects, matches) : [];
    this.#bookmark = from === undefined;
    if (signal?.aborted) this.#over = true;
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    try {
      const event = this.#take();
      if (event) return Promise.resolve({ done: false, value: event });
    } catch (error) {
      this.#end();
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting = resolve;
      this.#failed = reject;
      this.#forget = this.#input.objects.history.onMore(this.#onMore);
    });
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the watch as a server does that closes the connection. */
  close(): void {
    this.#end();
  }

  /** Says at the next turn how far the watch has come, even if nothing happened. */
  bookmark(): void {
    this.#bookmark = true;
    this.#forget?.();
    this.#onMore();
  }

  readonly #onAbort = () => this.#end();

  readonly #onMore = () => {
    const [resolve, reject] = [this.#waiting, this.#failed];
    if (!resolve || !reject) return;
    try {
      const event = this.#take();
      if (!event) {
        this.#forget = this.#input.objects.history.onMore(this.#onMore);
        return;
      }
      this.#waiting = undefined;
      resolve({ done: false, value: event });
    } catch (error) {
      this.#waiting = undefined;
      reject(error);
      this.#end();
    }
  };

  #take(): WatchEvent | undefined {
    const { history } = this.#input.objects;
    const object = this.#first[this.#shown];
    if (object) {
      this.#shown += 1;
      return { type: 'ADDED', object: this.#named(object) };
    }
    if (this.#first.length > 0) this.#first = [];
    if (this.#next < history.start) throw tooOld();
    while (this.#next < history.end) {
      const event = history.at(this.#next);
      this.#next += 1;
      const seen = event && this.#seen(event);
      if (seen) return seen;
    }
    if (!this.#bookmark) return undefined;
    this.#bookmark = false;
    const { apiVersion, kind, version } = this.#input;
    return {
      type: 'BOOKMARK',
      object: { apiVersion, kind, metadata: { resourceVersion: String(version()) } },
    };
  }

  /** What a change is to this watch: an object that begins or ceases to match comes or goes. */
  #seen({ change, object, before, version, told }: HistoryEvent): WatchEvent | undefined {
    const { matches, apiVersion } = this.#input;
    if (!matches && object.apiVersion === apiVersion) return told;
    if (!matches) return { type: change, object: this.#named(object) };
    const was = before !== undefined && matches(before);
    const is = change !== 'DELETED' && matches(object);
    if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: this.#named(object) };
    if (!was) return undefined;
    const metadata = { ...before.metadata, resourceVersion: String(version) };
    return {
      type: 'DELETED',
      object: this.#named(Object.freeze({ ...before, metadata: Object.freeze(metadata) })),
    };
  }

  #named(object: ClusterObject): ClusterObject {
    const { apiVersion } = this.#input;
    return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#forget?.();
    this.#input.signal?.removeEventListener('abort', this.#onAbort);
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = undefined;
    this.#input.onEnd();
  }
}

/** The error for a moment whose changes are not kept any more. */
export function tooOld(): ClusterError {
  return new ClusterError(
    'Expired',
    'too old resource version: the changes since then are not kept any more',
  );
}

function initial(objects: KindObjects, matches: Matches | undefined): readonly StoredObject[] {
  return objects.places().flatMap(place => {
    const object = objects.get(place);
    return object && (!matches || matches(object)) ? [object] : [];
  });
}
