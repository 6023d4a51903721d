import type { Clock } from '../../../cluster/clock.ts';
import type { ListenerReport } from '../forwarder-report.ts';
import type { Endpoint, Listener } from '../forwarding-table.ts';
import { Affinity } from './affinity.ts';
import { Balance, type Tried } from './balance.ts';
import { EndpointState, type SliceCounts } from './endpoint-state.ts';

/** A client whose connection is kept between requests. */
export interface WaitingClient {
  /** Since when no request goes on, in milliseconds of the monotonic clock; undefined while one does. */
  readonly waitsSince: number | undefined;
  /** A request was begun and its head is not whole. */
  readonly isMidHead: boolean;
  /** Closes the connection. */
  giveUp(): void;
}

/** Where what comes to one listener goes: its endpoints, whose turn it is, and the counts. */
export class Destination {
  readonly id: string;
  /** What is answered tells clients to come again by a new connection: the listener is given up. */
  retiring = false;
  readonly waiting = new Set<WaitingClient>();
  readonly #clock: Clock;
  readonly #onRest: () => void;
  readonly #serving = new Balance();
  readonly #leaving = new Balance();
  readonly #slices = new Map<string, SliceCounts>();
  #affinity: { readonly seconds: number; readonly clients: Affinity } | undefined;
  #endpoints = new Map<string, EndpointState>();
  /** Out of the table, and not done yet. */
  readonly #gone = new Set<EndpointState>();
  #unserved = 0;

  constructor(id: string, clock: Clock, onRest: () => void) {
    this.id = id;
    this.#clock = clock;
    this.#onRest = onRest;
  }

  /** Takes in what the table says. What is in flight stays where it is. */
  set({ endpoints, affinitySeconds }: Pick<Listener, 'endpoints' | 'affinitySeconds'>): void {
    const before = this.#endpoints;
    this.#endpoints = new Map(endpoints.map(endpoint => [keyOf(endpoint), this.#stateOf(endpoint)]));
    for (const [key, state] of before) {
      if (this.#endpoints.has(key)) continue;
      state.stand('draining');
      this.#gone.add(state);
    }
    for (const state of this.#gone) if (state.inFlight === 0) this.#gone.delete(state);
    const standing = (wanted: Endpoint['state']) =>
      endpoints.flatMap(endpoint => {
        const state = this.#endpoints.get(keyOf(endpoint));
        return state && endpoint.state === wanted ? [{ state, weight: endpoint.weight }] : [];
      });
    this.#serving.set(standing('serving'));
    this.#leaving.set(standing('leaving'));
    if (affinitySeconds !== this.#affinity?.seconds) {
      this.#affinity =
        affinitySeconds === undefined
          ? undefined
          : { seconds: affinitySeconds, clients: new Affinity(affinitySeconds, this.#clock) };
    }
    for (const state of [...before.values(), ...this.#endpoints.values()]) state.moveAway();
  }

  /** The endpoint that gets this request or connection; undefined when nobody is left to try. */
  pick(client: string, tried?: Tried): EndpointState | undefined {
    const affinity = this.#affinity?.clients;
    const known = affinity?.get(client);
    const endpoint =
      known && !tried?.has(known) ? known : (this.#serving.pick(tried) ?? this.#leaving.pick(tried));
    if (affinity && endpoint) affinity.set(client, endpoint);
    return endpoint;
  }

  /** Milliseconds of the monotonic clock. */
  now(): number {
    return this.#clock.monotonic();
  }

  /** Nobody could be found for a request or connection. */
  unserved(): void {
    this.#unserved += 1;
  }

  /** Closes connections that waited for a request longer than is wise, on either side. */
  closeWaiting(limits: { readonly upstream: number; readonly head: number; readonly client: number }): void {
    const now = this.now();
    for (const state of this.#endpoints.values()) state.closeIdle(now - limits.upstream);
    for (const client of this.waiting) {
      const limit = client.isMidHead ? limits.head : limits.client;
      if (client.waitsSince !== undefined && now - client.waitsSince > limit) client.giveUp();
    }
  }

  report(): Omit<ListenerReport, 'problem'> {
    const states = [...this.#endpoints.values(), ...[...this.#gone].filter(({ inFlight }) => inFlight > 0)];
    return {
      id: this.id,
      unserved: this.#unserved,
      endpoints: states.map(state => state.report()),
      slices: Object.fromEntries([...this.#slices].map(([name, counts]) => [name, { ...counts }])),
    };
  }

  get inFlight(): number {
    return [...this.#endpoints.values(), ...this.#gone].reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  #stateOf(endpoint: Endpoint): EndpointState {
    const known = this.#endpoints.get(keyOf(endpoint));
    if (known) {
      known.stand(endpoint.state);
      return known;
    }
    const counts = this.#slices.get(endpoint.slice) ?? { requests: 0, errors: 0, refused: 0 };
    this.#slices.set(endpoint.slice, counts);
    return new EndpointState(endpoint, counts, this.#onRest);
  }
}

/** The same as long as neither its place nor its slice changes: counts of a slice are not mixed with those of another. */
function keyOf({ id, address, port, slice }: Endpoint): string {
  return `${id} ${address} ${port} ${slice}`;
}
