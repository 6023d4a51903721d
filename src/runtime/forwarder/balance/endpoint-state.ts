import type { EndpointReport } from '../forwarder-report.ts';
import type { Endpoint, EndpointStanding } from '../forwarding-table.ts';
import type { RestingPlace, UpstreamConnection } from './upstream-connection.ts';

/** Counts that go on when endpoints come and go. */
export interface SliceCounts {
  requests: number;
  errors: number;
  refused: number;
}

/** Something that was sent to an endpoint and can still go to another, for no byte went either way. */
export interface Movable {
  move(): void;
}

/** One endpoint of one listener: what goes on there, and what went wrong. */
export class EndpointState implements RestingPlace {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  readonly slice: string;
  standing: EndpointStanding;
  inFlight = 0;
  readonly idle: UpstreamConnection[] = [];
  readonly movable = new Set<Movable>();
  readonly #counts: SliceCounts = { requests: 0, errors: 0, refused: 0 };
  readonly #sliceCounts: SliceCounts;
  readonly #onRest: () => void;

  /** `onRest` is told when an endpoint that is to get no more has finished what it had. */
  constructor(endpoint: Endpoint, sliceCounts: SliceCounts, onRest: () => void) {
    this.id = endpoint.id;
    this.address = endpoint.address;
    this.port = endpoint.port;
    this.slice = endpoint.slice;
    this.standing = endpoint.state;
    this.#sliceCounts = sliceCounts;
    this.#onRest = onRest;
  }

  /** A request or connection is sent there. Its end must be told. */
  begin(): void {
    this.inFlight += 1;
  }

  /** It turned out to be one that counts: the endpoint was reached. */
  served(): void {
    this.#counts.requests += 1;
    this.#sliceCounts.requests += 1;
  }

  failed(): void {
    this.#counts.errors += 1;
    this.#sliceCounts.errors += 1;
  }

  refused(): void {
    this.#counts.refused += 1;
    this.#sliceCounts.refused += 1;
  }

  end(): void {
    this.inFlight -= 1;
    if (this.inFlight === 0 && this.standing !== 'serving') this.#onRest();
  }

  /** Takes in what the table says of it now. What can go elsewhere goes once the whole table is taken in. */
  stand(standing: EndpointStanding): void {
    this.standing = standing;
    if (standing === 'draining') this.closeIdle();
  }

  /** Sends away what has not begun, where this endpoint is to get no more. */
  moveAway(): void {
    if (this.standing === 'serving') return;
    for (const one of [...this.movable]) one.move();
  }

  /** Closes connections that wait for a request since before that moment. */
  closeIdle(before = Number.POSITIVE_INFINITY): void {
    const kept = this.idle.filter(({ idleSince }) => idleSince >= before);
    const closed = this.idle.filter(({ idleSince }) => idleSince < before);
    this.idle.splice(0, this.idle.length, ...kept);
    for (const connection of closed) connection.discard();
  }

  report(): EndpointReport {
    const { id, slice, standing, inFlight } = this;
    return { id, slice, state: standing, inFlight, ...this.#counts };
  }
}
