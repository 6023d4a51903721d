import type { StoredObject } from '../../cluster.ts';
import type { Revision } from './revision.ts';
import type { Told } from './told.ts';

/** One change, with what was there before it. */
export interface HistoryEvent extends Revision {
  /** Absent when the object was not there. */
  readonly before: StoredObject | undefined;
  /** What a watch of everything is told: made by the first one, for all. */
  told: Told | undefined;
}

/**
 * The changes of one kind that are still kept, in order. Every change has a number that stays the same while older ones go,
 * so that a reader needs to remember nothing but how far it has come.
 */
export class KindHistory {
  #events: (HistoryEvent | undefined)[] = [];
  /** How many at the front of the list are gone already. */
  #gone = 0;
  #firstNumber = 0;
  #readers = new Set<() => void>();

  /** The number the next change will get. */
  get end(): number {
    return this.#firstNumber + this.#events.length;
  }

  /** The number of the oldest change that is kept. */
  get start(): number {
    return this.#firstNumber + this.#gone;
  }

  at(number: number): HistoryEvent | undefined {
    return this.#events[number - this.#firstNumber];
  }

  push(event: HistoryEvent): void {
    this.#events.push(event);
  }

  /** Takes the last one back: its write came to nothing. */
  pop(): void {
    this.#events.pop();
  }

  dropFirst(): void {
    this.#events[this.#gone] = undefined;
    this.#gone += 1;
    // Moving the list costs its length, so it is done only when half of it is empty.
    if (this.#gone < 1024 || this.#gone * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#gone);
    this.#firstNumber += this.#gone;
    this.#gone = 0;
  }

  /** The number of the first change after that version. */
  after(version: number): number {
    let [low, high] = [this.start, this.end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.at(middle)?.version ?? 0) > version) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Calls `reader` once, when there is more, unless `forget` takes it back. */
  onMore(reader: () => void): void {
    this.#readers.add(reader);
  }

  forget(reader: () => void): void {
    this.#readers.delete(reader);
  }

  wake(): void {
    const readers = this.#readers;
    // What is added meanwhile waits for the next time.
    this.#readers = new Set();
    for (const reader of readers) reader();
  }
}
