import type { WatchEvent } from '../../cluster.ts';

/**
 * An event as the iterators of watches give it. All watches of everything share one: what a hundred watch is put together
 * once, and only if anybody does.
 */
export class Told {
  readonly result: IteratorResult<WatchEvent, undefined>;
  #promise: Promise<IteratorResult<WatchEvent, undefined>> | undefined;

  constructor(event: WatchEvent) {
    this.result = Object.freeze({ done: false, value: Object.freeze(event) });
  }

  /** The result, for those who need not wait. */
  get promise(): Promise<IteratorResult<WatchEvent, undefined>> {
    this.#promise ??= Promise.resolve(this.result);
    return this.#promise;
  }
}
