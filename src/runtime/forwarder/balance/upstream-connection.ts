import type { Socket } from 'node:net';
import type { EndpointStanding } from '../forwarding-table.ts';

/** Who uses a connection to an endpoint for the time of one request. */
export interface UpstreamUser {
  onUpstreamData(chunk: Buffer): void;
  onUpstreamDrain(): void;
  onUpstreamEnd(): void;
  onUpstreamClose(): void;
}

/** Where connections wait for the next request: their endpoint. */
export interface RestingPlace {
  readonly standing: EndpointStanding;
  /** The one that was used last is at the end. */
  readonly idle: UpstreamConnection[];
}

/** More connections than this do not wait for requests at one endpoint. */
const mostIdle = 128;

/**
 * A connection to an endpoint over which one request goes after the other. Between them it waits at its endpoint, and is gone
 * from there when the endpoint closes it or says something unasked.
 */
export class UpstreamConnection {
  readonly socket: Socket;
  /** A request was answered on it: the endpoint may close it while the next one is on its way. */
  isUsed = false;
  /** Since when it waits, in milliseconds of the monotonic clock. */
  idleSince = 0;
  readonly #place: RestingPlace;
  #user: UpstreamUser | undefined;

  constructor(place: RestingPlace, socket: Socket) {
    this.#place = place;
    this.socket = socket;
    socket
      .on('data', this.#onData)
      .on('drain', this.#onDrain)
      .on('end', this.#onEnd)
      .on('close', this.#onClose);
    socket.on('error', () => {}); // it is closed next
  }

  /** Takes one that waits there, since no earlier than `notBefore`; undefined where there is none. */
  static takeIdle({ idle }: RestingPlace, notBefore: number): UpstreamConnection | undefined {
    const youngest = idle.at(-1);
    return youngest && youngest.idleSince >= notBefore ? idle.pop() : undefined;
  }

  usedBy(user: UpstreamUser): void {
    this.#user = user;
  }

  /** The request is answered as a whole: waits for the next one. */
  rest(now: number): void {
    this.#user = undefined;
    this.isUsed = true;
    this.idleSince = now;
    const { socket } = this;
    const { idle, standing } = this.#place;
    const mayRest = standing !== 'draining' && !socket.destroyed && !socket.readableEnded;
    if (!mayRest || idle.length >= mostIdle) socket.destroy();
    else {
      if (socket.isPaused()) socket.resume(); // or its end would not be heard
      idle.push(this);
    }
  }

  /** No request goes over it any more. */
  discard(): void {
    this.#user = undefined;
    this.socket.destroy();
  }

  /** Gives the socket over, with nobody listening but to errors. */
  release(): Socket {
    this.#user = undefined;
    return this.socket
      .off('data', this.#onData)
      .off('drain', this.#onDrain)
      .off('end', this.#onEnd)
      .off('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#user) this.#user.onUpstreamData(chunk);
    else this.#drop();
  };

  readonly #onDrain = (): void => this.#user?.onUpstreamDrain();

  readonly #onEnd = (): void => {
    if (this.#user) this.#user.onUpstreamEnd();
    else this.#drop();
  };

  readonly #onClose = (): void => {
    if (this.#user) this.#user.onUpstreamClose();
    else this.#drop();
  };

  #drop(): void {
    const at = this.#place.idle.indexOf(this);
    if (at >= 0) this.#place.idle.splice(at, 1);
    this.socket.destroy();
  }
}
