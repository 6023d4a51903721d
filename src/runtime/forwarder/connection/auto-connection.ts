import type { Socket } from 'node:net';
import type { Destination } from '../balance/destination.ts';
import { forwardHttp } from '../http/http-connection.ts';
import { looksLikeHttp } from '../http/looks-like-http.ts';
import { type Reached, reach } from './reach.ts';
import { joinTcp, refuse } from './tcp-connection.ts';

/** How long the rest of a first line is waited for. Whoever sends a request sends its first line at once. */
const firstLineMilliseconds = 1000;

/** Forwards a connection whose first bytes tell what it is. The endpoint is reached at once: in some protocols it speaks first. */
export function forwardAuto(client: Socket, destination: Destination): void {
  new AutoConnection(client, destination).begin();
}

/** A connection until it is known what it is. */
class AutoConnection {
  readonly #client: Socket;
  readonly #destination: Destination;
  #callOff: (() => void) | undefined;
  #reached: Reached | 'nobody' | undefined;
  #ahead: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Socket, destination: Destination) {
    this.#client = client;
    this.#destination = destination;
  }

  begin(): void {
    this.#client
      .on('data', this.#onData)
      .on('end', this.#look)
      .on('error', nothing)
      .on('close', this.#onLost);
    this.#reach();
  }

  /** The endpoint is to get no more and nothing was said yet: another one takes the connection. */
  move(): void {
    this.#letGo()?.socket.destroy();
    this.#reach();
  }

  #reach(): void {
    this.#callOff = reach(this.#destination, this.#client.remoteAddress ?? '', reached => {
      this.#callOff = undefined;
      this.#reached = reached ?? 'nobody';
      if (reached) this.#listenTo(reached);
      else this.#waitForLine(); // a request can still be answered
      this.#look();
    });
  }

  #listenTo({ endpoint, socket }: Reached): void {
    socket
      .on('data', this.#onUpstreamData)
      .on('end', this.#asTcp)
      .on('error', nothing)
      .on('close', this.#asTcp);
    endpoint.movable.add(this);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#ahead = this.#ahead ? Buffer.concat([this.#ahead, chunk]) : chunk;
    this.#look();
  };

  /** Goes by the bytes that are there, once it is known who is to take them. */
  readonly #look = (): void => {
    if (!this.#reached) {
      if (this.#ahead) this.#client.pause();
      return;
    }
    const answer = this.#ahead && looksLikeHttp(this.#ahead);
    if (answer === true) this.#asHttp();
    else if (answer === false || this.#client.readableEnded) this.#asTcp();
    else {
      this.#client.resume();
      if (this.#ahead) this.#waitForLine();
    }
  };

  #waitForLine(): void {
    this.#timer ??= setTimeout(this.#asTcp, firstLineMilliseconds);
  }

  readonly #onUpstreamData = (chunk: Buffer): void => {
    this.#asTcp();
    this.#client.write(chunk);
  };

  readonly #asTcp = (): void => {
    const reached = this.#known();
    if (reached) joinTcp(this.#client, reached, this.#ahead);
    else refuse(this.#client, this.#destination);
  };

  #asHttp(): void {
    forwardHttp(this.#client, this.#destination, { ahead: this.#ahead, reached: this.#known() });
  }

  readonly #onLost = (): void => {
    const reached = this.#known();
    reached?.socket.destroy();
    reached?.endpoint.end();
  };

  /** It is known now: stops looking, and gives over whom it reached. */
  #known(): Reached | undefined {
    clearTimeout(this.#timer);
    this.#client.off('data', this.#onData).off('end', this.#look).off('close', this.#onLost);
    this.#callOff?.();
    const reached = this.#reached;
    this.#stopListening();
    return reached === 'nobody' ? undefined : reached;
  }

  #stopListening(): void {
    if (this.#reached === 'nobody' || !this.#reached) return;
    const { endpoint, socket } = this.#reached;
    endpoint.movable.delete(this);
    socket.off('data', this.#onUpstreamData).off('end', this.#asTcp).off('close', this.#asTcp);
  }

  #letGo(): Reached | undefined {
    this.#stopListening();
    const reached = this.#reached === 'nobody' ? undefined : this.#reached;
    reached?.endpoint.end();
    this.#reached = undefined;
    return reached;
  }
}

/** What broke is closed next, and that is listened to. */
function nothing(): void {}
