import type { Socket } from 'node:net';
import type { Destination, WaitingClient } from '../balance/destination.ts';
import type { Reached } from '../connection/reach.ts';
import { tunnel } from '../connection/tunnel.ts';
import { BodyFraming } from './body-framing.ts';
import { endOfHead, longestHead } from './end-of-head.ts';
import { Exchange, type ExchangeClient } from './exchange.ts';
import { parseRequest, type RequestHead } from './message-head.ts';
import { closeGently, type OwnStatus, ownAnswer } from './own-answers.ts';

/** What was found out about a connection before it was known to be HTTP. */
export interface Beginning {
  readonly ahead: Buffer | undefined;
  readonly reached: Reached | undefined;
}

/** Bytes of further requests that are taken while one is being answered. */
const mostAhead = 65_536;

/** Forwards the requests of one client, each to the endpoint whose turn it is. */
export function forwardHttp(client: Socket, destination: Destination, beginning?: Beginning): void {
  new HttpConnection(client, destination, beginning?.reached).begin(beginning?.ahead);
}

/** The client's side: requests are taken one after the other, the next when the answer to the last is whole. */
class HttpConnection implements ExchangeClient, WaitingClient {
  readonly address: string;
  readonly destination: Destination;
  waitsSince: number | undefined;
  readonly #socket: Socket;
  /** Reached before the first request was known, and used for it. */
  #reached: Reached | undefined;
  /** Bytes that belong to no request yet. */
  #pending: Buffer | undefined;
  #request: RequestHead | undefined;
  #body: BodyFraming | undefined;
  #exchange: Exchange | undefined;

  constructor(socket: Socket, destination: Destination, reached: Reached | undefined) {
    this.#socket = socket;
    this.#reached = reached;
    this.destination = destination;
    this.address = socket.remoteAddress ?? '';
    this.waitsSince = destination.now();
  }

  begin(ahead: Buffer | undefined): void {
    const socket = this.#socket;
    socket
      .on('data', this.#onData)
      .on('drain', this.#onDrain)
      .on('end', this.#onEnd)
      .on('close', this.#onClose);
    socket.on('error', () => {}); // it is closed next
    this.destination.waiting.add(this);
    if (ahead) this.#onData(ahead);
    socket.resume();
    if (socket.readableEnded) this.#onEnd();
  }

  get isMidHead(): boolean {
    return this.#pending !== undefined;
  }

  giveUp(): void {
    if (this.#pending) this.#refuse(408, 'the request did not come to its end');
    else this.#close();
  }

  onAnswer(bytes: Buffer): boolean {
    return this.#socket.write(bytes);
  }

  onReady(): void {
    if (!this.#body?.done && this.#socket.isPaused()) this.#socket.resume();
  }

  onDone(keepAlive: boolean): void {
    this.#exchange = undefined;
    if (!keepAlive || !this.#request?.keepAlive) {
      this.#close();
      return;
    }
    this.waitsSince = this.destination.now();
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#pending) this.#next();
    if (this.#socket.readableEnded && !this.#exchange) this.#close();
  }

  onNoAnswer(status: OwnStatus, text: string): void {
    this.#exchange = undefined;
    this.#refuse(status, text);
  }

  onCut(): void {
    this.#exchange = undefined;
    this.#stop().resetAndDestroy(); // what is missing must not look like an end
  }

  onTunnel({ endpoint, socket: upstream }: Reached, bytes: Buffer): void {
    this.#exchange = undefined;
    const client = this.#stop();
    client.write(bytes);
    if (this.#pending) upstream.write(this.#pending);
    tunnel(client, upstream, () => endpoint.end());
  }

  readonly #onData = (chunk: Buffer): void => {
    const body = this.#body;
    if (this.#exchange && body && !body.done) this.#sendBody(this.#exchange, body, chunk);
    else {
      this.#pending = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
      if (!this.#exchange) this.#next();
      else if (this.#pending.length > mostAhead) this.#socket.pause();
    }
  };

  #sendBody(exchange: Exchange, body: BodyFraming, chunk: Buffer): void {
    const end = body.take(chunk, 0);
    if (end < 0) {
      exchange.abort();
      this.onNoAnswer(400, 'the body is not well formed');
      return;
    }
    if (end < chunk.length) this.#pending = chunk.subarray(end);
    const more = exchange.send(end < chunk.length ? chunk.subarray(0, end) : chunk, body.done);
    if (!more && !body.done) this.#socket.pause();
  }

  /** Takes the next request out of what came, where it has begun. */
  #next(): void {
    const bytes = this.#pending ? afterEmptyLines(this.#pending) : undefined;
    this.#pending = bytes;
    if (!bytes) return;
    const headEnd = endOfHead(bytes, 'strict');
    if ((headEnd < 0 ? bytes.length : headEnd) > longestHead) {
      this.#refuse(431, 'the head of the request is too large');
      return;
    }
    if (headEnd < 0) return;
    const request = parseRequest(bytes.toString('latin1', 0, headEnd));
    if (typeof request === 'string') {
      this.#refuse(400, request);
      return;
    }
    const body = new BodyFraming(request.body);
    const end = body.take(bytes, headEnd);
    if (end < 0) {
      this.#refuse(400, 'the body is not well formed');
      return;
    }
    this.#pending = end < bytes.length ? bytes.subarray(end) : undefined;
    this.#request = request;
    this.#body = body;
    this.#forward(request, end < bytes.length ? bytes.subarray(0, end) : bytes, body);
  }

  #forward(request: RequestHead, bytes: Buffer, body: BodyFraming): void {
    this.waitsSince = undefined;
    const exchange = new Exchange(this, request);
    this.#exchange = exchange;
    exchange.begin(this.#takeReached());
    if (this.#exchange !== exchange) return; // nobody was there
    if (!exchange.send(bytes, body.done) && !body.done) this.#socket.pause();
  }

  #takeReached(): Reached | undefined {
    const reached = this.#reached;
    this.#reached = undefined;
    return reached;
  }

  readonly #onDrain = (): void => this.#exchange?.resumeAnswer();

  readonly #onEnd = (): void => {
    if (!this.#exchange) this.#close();
    else if (!this.#body?.done) this.#socket.destroy(); // half a request
  };

  readonly #onClose = (): void => {
    this.#exchange?.abort();
    this.#letGo();
  };

  #refuse(status: OwnStatus, text: string): void {
    this.#socket.write(ownAnswer(status, text, this.#request?.method));
    this.#close();
  }

  #close(): void {
    this.#letGo();
    closeGently(this.#stop());
  }

  #stop(): Socket {
    this.destination.waiting.delete(this);
    const socket = this.#socket;
    return socket
      .off('data', this.#onData)
      .off('drain', this.#onDrain)
      .off('end', this.#onEnd)
      .off('close', this.#onClose);
  }

  /** Whoever was reached ahead and never got a request is let go. */
  #letGo(): void {
    this.destination.waiting.delete(this);
    const reached = this.#takeReached();
    reached?.socket.destroy();
    reached?.endpoint.end();
  }
}

/** Empty lines before a request are passed over (RFC 9112, 2.2). */
function afterEmptyLines(bytes: Buffer): Buffer | undefined {
  let from = 0;
  while (bytes[from] === 0x0d && bytes[from + 1] === 0x0a) from += 2;
  if (from === bytes.length) return undefined;
  return from === 0 ? bytes : bytes.subarray(from);
}
