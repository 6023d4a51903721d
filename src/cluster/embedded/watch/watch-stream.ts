import type { ClusterObject, StoredObject, WatchEvent } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import type { Matches } from '../select/selection.ts';
import type { HistoryEvent } from '../store/history.ts';
import type { KindObjects } from '../store/kind-objects.ts';
import { Told } from '../store/told.ts';
import { offAbort, onAbort } from './on-abort.ts';

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
  readonly #from: number;
  #bookmark: boolean;
  #over = false;
  #isLast = false;
  #waiting: ((result: Result) => void) | undefined;
  #failed: ((error: unknown) => void) | undefined;

  constructor(input: WatchInput) {
    const { objects, from, matches, signal } = input;
    this.#input = input;
    this.#next = from === undefined ? objects.history.end : objects.history.after(from);
    this.#from = from ?? 0;
    this.#first = from === undefined ? initial(objects, matches) : [];
    this.#bookmark = from === undefined;
    if (signal?.aborted) this.#over = true;
    else if (signal) onAbort(signal, this.#onAbort);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    try {
      const told = this.#take();
      if (told) return told.promise;
      if (this.#isLast) return this.return();
    } catch (error) {
      this.#end();
      return Promise.reject(error);
    }
    return new Promise(this.#wait);
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the watch as a server does that closes the connection. */
  close(): void {
    this.#end();
  }

  /** The kind it watches, as the store calls it. */
  get kind(): string {
    return this.#input.objects.kind;
  }

  /** Ends the watch when all that happened until now is told. */
  finish(): void {
    this.#isLast = true;
    this.#input.objects.history.forget(this.#onMore);
    this.#onMore();
  }

  /** Says at the next turn how far the watch has come, even if nothing happened. */
  bookmark(): void {
    this.#bookmark = true;
    this.#input.objects.history.forget(this.#onMore);
    this.#onMore();
  }

  // These are made once and not for every event: there may be many watches, and each waits again and again.
  readonly #wait = (resolve: (result: Result) => void, reject: (error: unknown) => void) => {
    this.#waiting = resolve;
    this.#failed = reject;
    this.#input.objects.history.onMore(this.#onMore);
  };

  readonly #onAbort = () => this.#end();

  readonly #onMore = () => {
    const [resolve, reject] = [this.#waiting, this.#failed];
    if (!resolve || !reject) return;
    try {
      const told = this.#take();
      if (!told && this.#isLast) return this.#end();
      if (!told) {
        this.#input.objects.history.onMore(this.#onMore);
        return;
      }
      this.#waiting = undefined;
      resolve(told.result);
    } catch (error) {
      this.#waiting = undefined;
      reject(error);
      this.#end();
    }
  };

  #take(): Told | undefined {
    const { history } = this.#input.objects;
    const object = this.#first[this.#shown];
    if (object) {
      this.#shown += 1;
      return new Told({ type: 'ADDED', object: this.#named(object) });
    }
    if (this.#first.length > 0) this.#first = [];
    if (this.#next < history.start) throw tooOld();
    while (this.#next < history.end) {
      const event = history.at(this.#next);
      this.#next += 1;
      // A moment that is still to come: what happens until then is not asked for.
      const seen = event && event.version > this.#from ? this.#seen(event) : undefined;
      if (seen) return seen;
    }
    if (!this.#bookmark) return undefined;
    this.#bookmark = false;
    const { apiVersion, kind, version } = this.#input;
    const metadata = { resourceVersion: String(version()) };
    return new Told({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } });
  }

  /** What a change is to this watch: an object that begins or ceases to match comes or goes. */
  #seen(event: HistoryEvent): Told | undefined {
    const { matches, apiVersion } = this.#input;
    const { change, object } = event;
    if (matches) return this.#selected(event, matches);
    if (object.apiVersion !== apiVersion) return new Told({ type: change, object: this.#named(object) });
    event.told ??= new Told({ type: change, object });
    return event.told;
  }

  #selected({ change, object, before, version }: HistoryEvent, matches: Matches): Told | undefined {
    const was = before !== undefined && matches(before);
    const is = change !== 'DELETED' && matches(object);
    if (is) return new Told({ type: was ? 'MODIFIED' : 'ADDED', object: this.#named(object) });
    if (!was) return undefined;
    const metadata = { ...before.metadata, resourceVersion: String(version) };
    const last = Object.freeze({ ...before, metadata: Object.freeze(metadata) });
    return new Told({ type: 'DELETED', object: this.#named(last) });
  }

  #named(object: ClusterObject): ClusterObject {
    const { apiVersion } = this.#input;
    return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    const { objects, signal } = this.#input;
    objects.history.forget(this.#onMore);
    if (signal) offAbort(signal, this.#onAbort);
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
