import type { EndpointStanding } from './forwarding-table.ts';

/** What a forwarder reports: one file it replaces when something changed. */
export interface ForwarderReport {
  readonly version: number;
  /** Who it is, as in its claim. */
  readonly identity: string;
  /** Digest of the program it is. */
  readonly program: string;
  /** The table it goes by; -1 before the first. */
  readonly generation: number;
  /** It handed its ports over, and ends with its last connection. */
  readonly retired: boolean;
  /** What keeps it from doing all that the table says, beside what listeners say. */
  readonly problems: readonly string[];
  readonly listeners: readonly ListenerReport[];
}

export interface ListenerReport {
  readonly id: string;
  /** Why it does not listen, where it does not. */
  readonly problem?: string;
  /** Connections and requests that no endpoint could be found for. */
  readonly unserved: number;
  readonly endpoints: readonly EndpointReport[];
  /** By slice, also of endpoints that are gone. */
  readonly slices: Readonly<Record<string, Counts>>;
}

/** Counts since the forwarder began. */
export interface Counts {
  readonly requests: number;
  /** Answers of 500 and above, and connections cut before the answer was whole. */
  readonly errors: number;
  /** Connects that failed; the request went to another endpoint where there was one. */
  readonly refused: number;
}

/** Endpoints that left the table are reported until their last request is done. */
export interface EndpointReport extends Counts {
  readonly id: string;
  readonly slice: string;
  readonly state: EndpointStanding;
  /** Requests (or connections, for tcp) that are going on now. 0 of a draining endpoint: it is drained. */
  readonly inFlight: number;
}
