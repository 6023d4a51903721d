import type { StoredObject } from '../../cluster.ts';
import { KindHistory } from './history.ts';

/** The objects of one kind as they are now, by place, and what happened to them lately. */
export class KindObjects {
  readonly kind: string;
  readonly history = new KindHistory();
  readonly #byPlace = new Map<string, StoredObject>();
  #sorted: readonly string[] | undefined;
  #changes = 0;

  constructor(kind: string) {
    this.kind = kind;
  }

  /** How often anything changed: what was worked out of the objects holds as long as this is the same. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#byPlace.size;
  }

  get(place: string): StoredObject | undefined {
    return this.#byPlace.get(place);
  }

  values(): Iterable<StoredObject> {
    return this.#byPlace.values();
  }

  /** The places in the order of a list. */
  places(): readonly string[] {
    this.#sorted ??= [...this.#byPlace.keys()].sort();
    return this.#sorted;
  }

  /** Puts an object there, or takes it away. Returns what was there. */
  set(place: string, object: StoredObject | undefined): StoredObject | undefined {
    const before = this.#byPlace.get(place);
    this.#changes += 1;
    if (object) this.#byPlace.set(place, object);
    else this.#byPlace.delete(place);
    if ((before === undefined) !== (object === undefined)) this.#sorted = undefined;
    return before;
  }
}

/** Where an object is among those of its kind. */
export function placeOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
