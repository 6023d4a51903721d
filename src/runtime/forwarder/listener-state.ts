import type { Socket } from 'node:net';
import type { Clock } from '../../cluster/clock.ts';
import { Destination } from './balance/destination.ts';
import { forwardAuto } from './connection/auto-connection.ts';
import { forwardTcp } from './connection/tcp-connection.ts';
import type { ListenerReport } from './forwarder-report.ts';
import type { Listener } from './forwarding-table.ts';
import type { HandedPort } from './handed-port.ts';
import { forwardHttp } from './http/http-connection.ts';
import { ListeningPort } from './listening-port.ts';

/** How long things may wait, in milliseconds. Nothing here ends a request that is going on. */
const limits = { upstream: 4000, head: 30_000, client: 900_000 };
/** A client of a listener that is given up is told so with its next answer; one that asks for nothing is closed then. */
const retiringLimits = { ...limits, client: 60_000 };

const forwarders = { http: forwardHttp, tcp: forwardTcp, auto: forwardAuto };

/** One listener of the table, at work. */
export class ListenerState {
  readonly port: ListeningPort;
  readonly #destination: Destination;
  readonly #connections = new Set<Socket>();
  #protocol: Listener['protocol'];

  constructor(listener: Listener, clock: Clock, onChange: () => void) {
    this.#protocol = listener.protocol;
    this.#destination = new Destination(listener.id, clock, onChange);
    this.#destination.set(listener);
    this.port = new ListeningPort(listener, {
      clock,
      onChange,
      onConnection: socket => this.#onConnection(socket),
    });
  }

  /** Begins, on a port that was handed over where there is one. */
  async open(handed: HandedPort | undefined): Promise<void> {
    if (handed) this.port.adopt(handed);
    else await this.port.open();
  }

  /** Takes in what the table says. Connections stay what they are. */
  set(listener: Listener): void {
    this.#protocol = listener.protocol;
    this.#destination.set(listener);
  }

  /** Takes no more connections, and asks the clients that are there to come again elsewhere. */
  retire(): void {
    this.port.close();
    this.#destination.retiring = true;
  }

  /** It is out of the table: as before, and nothing new is sent to any endpoint. */
  giveUp(): void {
    this.retire();
    this.#destination.set({ endpoints: [] });
  }

  /** Nobody is connected any more. */
  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  tidy(): void {
    this.#destination.closeWaiting(this.#destination.retiring ? retiringLimits : limits);
  }

  /** Closes what only waits; for the end of the program. */
  end(): void {
    this.port.close();
    for (const socket of this.#connections) socket.destroy();
  }

  report(): ListenerReport {
    const { problem } = this.port;
    return { ...this.#destination.report(), ...(problem === undefined ? {} : { problem }) };
  }

  #onConnection(socket: Socket): void {
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
    forwarders[this.#protocol](socket, this.#destination);
  }
}
