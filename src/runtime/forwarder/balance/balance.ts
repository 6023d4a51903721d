import type { EndpointState } from './endpoint-state.ts';

/** Endpoints already tried for one request. */
export type Tried = ReadonlySet<EndpointState>;

interface Slice {
  readonly name: string;
  readonly endpoints: readonly EndpointState[];
  readonly weight: number;
  /** How far it is ahead of its share (smooth weighted round robin). */
  credit: number;
  next: number;
}

/**
 * Who gets the next request: slices by their weights, exact over any run of requests, and within a slice one after the other.
 * Where no weights are given, slices weigh as much as they have endpoints. A slice of weight 0 gets nothing.
 */
export class Balance {
  #slices: readonly Slice[] = [];

  /** Takes in who may be picked now. Turns go on where they were. */
  set(endpoints: readonly { readonly state: EndpointState; readonly weight?: number | undefined }[]): void {
    const names = [...new Set(endpoints.map(({ state }) => state.slice))];
    this.#slices = names.flatMap(name => {
      const members = endpoints.filter(({ state }) => state.slice === name);
      const weight = members[0]?.weight ?? members.length;
      const before = this.#slices.find(slice => slice.name === name);
      const { credit = 0, next = 0 } = before?.weight === weight ? before : { next: before?.next ?? 0 };
      return weight > 0 ? [{ name, endpoints: members.map(({ state }) => state), weight, credit, next }] : [];
    });
  }

  /** The next one that was not tried; undefined when there is none. */
  pick(tried?: Tried): EndpointState | undefined {
    let best: Slice | undefined;
    let total = 0;
    for (const slice of this.#slices) {
      if (tried && slice.endpoints.every(one => tried.has(one))) continue;
      slice.credit += slice.weight;
      total += slice.weight;
      if (!best || slice.credit > best.credit) best = slice;
    }
    if (!best) return undefined;
    best.credit -= total;
    return takeTurn(best, tried);
  }
}

function takeTurn(slice: Slice, tried: Tried | undefined): EndpointState | undefined {
  const { endpoints } = slice;
  for (let step = 0; step < endpoints.length; step++) {
    const at = (slice.next + step) % endpoints.length;
    const endpoint = endpoints[at];
    if (!endpoint || tried?.has(endpoint)) continue;
    slice.next = at + 1;
    return endpoint;
  }
  return undefined;
}
