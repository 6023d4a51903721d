import type { Clock } from '../../../cluster/clock.ts';
import type { EndpointState } from './endpoint-state.ts';

/** More clients than this are not remembered: the one that was silent longest is forgotten. */
const mostClients = 10_000;

/** Which endpoint a client was sent to, for as long as it comes back within a time. */
export class Affinity {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  /** In the order of their last use. */
  readonly #clients = new Map<string, { readonly endpoint: EndpointState; readonly at: number }>();

  constructor(seconds: number, clock: Clock) {
    this.#clock = clock;
    this.#milliseconds = seconds * 1000;
  }

  get(client: string): EndpointState | undefined {
    const found = this.#clients.get(client);
    const isFresh = found && this.#clock.monotonic() - found.at < this.#milliseconds;
    return isFresh && found.endpoint.standing === 'serving' ? found.endpoint : undefined;
  }

  set(client: string, endpoint: EndpointState): void {
    this.#clients.delete(client);
    this.#clients.set(client, { endpoint, at: this.#clock.monotonic() });
    if (this.#clients.size <= mostClients) return;
    for (const oldest of this.#clients.keys()) {
      this.#clients.delete(oldest);
      return;
    }
  }
}
