/**
 * Traffic: who of a service's slices gets the requests of clients.
 *
 * In: a route, and the share each slice shall have. Out: `TrafficReport`, the shares as they are and what went through. Never: waits, counts
 * time, starts or stops what serves; keeps in memory what it could read.
 */
import type { ClusterObject } from '../cluster/cluster.ts';

/** One way clients take to a component. */
export interface Route {
  readonly namespace: string;
  /** The name clients use: a Service. */
  readonly service: string;
  /** Which kind of router has it, where there are several: the Service itself unless said otherwise. */
  readonly router?: string;
}

/**
 * Shares by slice. A slice that is not named gets nothing; where all are zero or none is named, nobody is served. One that is named with 0
 * is left out also where it comes only later.
 */
export type Weights = Readonly<Record<string, number>>;

/** What one slice got. Counts grow while one manager runs; they may begin anew with the next. */
export interface SliceReport {
  readonly weight: number;
  /** Undefined where the router cannot tell. */
  readonly counts?: { readonly requests: number; readonly errors: number; readonly inFlight: number };
  /**
   * Nothing new comes to it, and nothing is in flight: it may be stopped. `unknown`: the router sends nothing new and cannot see what goes
   * on; the caller waits for the settle time and the drain time.
   */
  readonly out: 'yes' | 'no' | 'unknown';
  /** Addresses that are ready to take requests. */
  readonly ready: number;
}

/** A route as it is now. */
export interface TrafficReport {
  /** False where the route is not there yet. */
  readonly exists: boolean;
  /** Slices that have a share, or endpoints. */
  readonly slices: Readonly<Record<string, SliceReport>>;
  /** Whether shares other than all and nothing are kept. */
  readonly canWeigh: boolean;
}

/** The address at which one slice alone answers. */
export interface Preview {
  readonly address: string;
  /** The protocol where it is not TCP. */
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
  /** Requests that came to the slice by this address so far; undefined where nobody counts. */
  readonly requests?: number;
  /** Whether the slice answers there by now; undefined where the router cannot tell, or no more than that it was told of the slice. */
  readonly isServed?: boolean;
  /** When the address was made, in milliseconds since 1970, to the second; undefined where nobody knows. */
  readonly madeAt?: number;
}

/** One kind of router. Every verb may be called again at any time. */
export interface Traffic {
  observe(route: Route): Promise<TrafficReport>;
  /** Whether what comes of a slice without a share would get requests as soon as it is ready, as the route is now. Changes nothing. */
  wouldServe(route: Route, slice: string): Promise<boolean>;
  /** Makes the route, or brings it to this content, without changing who is served. A route that is new serves nobody. */
  ensure(route: Route, object: ClusterObject): Promise<void>;
  /**
   * Sets the shares, all at once. Returns when they are written; `observe` tells when they are in force. Throws `Invalid` where the router
   * cannot serve these and leave out the others.
   */
  setWeights(route: Route, weights: Weights): Promise<void>;
  /** The address of one slice, made where it is not there; undefined while it has none yet. */
  preview(route: Route, slice: string): Promise<Preview | undefined>;
  /** Takes the address of a slice away. */
  removePreview(route: Route, slice: string): Promise<void>;
  /** Takes the route away. */
  remove(route: Route): Promise<void>;
}

/** What a forwarder counts. The embedded runtime brings it; on a plain cluster there is none. */
export interface SliceMeter {
  counts(
    namespace: string,
    service: string,
  ): ReadonlyMap<
    string,
    { requests: number; errors: number; inFlight: number; isOut: boolean; isServed?: boolean }
  >;
  /** Nothing new comes to this Pod and nothing is in flight to it. */
  podIsOut(podUid: string): boolean;
}
