import type { Destination } from '../balance/destination.ts';
import type { EndpointState } from '../balance/endpoint-state.ts';
import { UpstreamConnection, type UpstreamUser } from '../balance/upstream-connection.ts';
import { type Reached, reach } from '../connection/reach.ts';
import { type AnswerPart, AnswerReader } from './answer-reader.ts';
import type { RequestHead } from './message-head.ts';
import type { OwnStatus } from './own-answers.ts';

/** The client's side of an exchange. */
export interface ExchangeClient {
  readonly address: string;
  readonly destination: Destination;
  /** Passes a part of the answer on. False: no more until `resumeAnswer`. */
  onAnswer(bytes: Buffer | string): boolean;
  /** The endpoint takes more of the request. */
  onReady(): void;
  /** The answer is whole; and so is the request, or nobody is there to take the rest of it. */
  onDone(keepAlive: boolean): void;
  /** No byte of an answer came, and none will. */
  onNoAnswer(status: OwnStatus, text: string): void;
  /** The answer was cut off. */
  onCut(): void;
  /** Both sides agreed to talk otherwise: from now on bytes are carried, these first. */
  onTunnel(reached: Reached, bytes: Buffer): void;
}

/** Methods that may be sent twice (RFC 9110, 9.2.2) and have no body as a rule. */
const replayable = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * Endpoints close connections that rest for some seconds. One that rested longer than this is left alone; one that is younger may
 * be closing all the same, so what cannot be sent twice goes only over very young ones.
 */
const restMilliseconds = { replayable: 4000, other: 500 };

/** One request and its answer. */
export class Exchange implements UpstreamUser {
  readonly #client: ExchangeClient;
  readonly #request: RequestHead;
  readonly #answer: AnswerReader;
  #endpoint: EndpointState | undefined;
  #upstream: UpstreamConnection | undefined;
  #callOff: (() => void) | undefined;
  /** Parts of the request that wait for a connection, or that may have to be sent again. */
  #kept: Buffer[] = [];
  #requestDone = false;
  #answerDone = false;
  /** A byte came from the endpoint: the request must not be sent again. */
  #heard = false;

  constructor(client: ExchangeClient, request: RequestHead) {
    this.#client = client;
    this.#request = request;
    this.#answer = new AnswerReader(request);
  }

  /** Finds an endpoint, or takes the one that was reached already. */
  begin(reached?: Reached): void {
    if (reached) {
      this.#use(reached.endpoint, new UpstreamConnection(reached.endpoint, reached.socket));
      return;
    }
    const { destination, address } = this.#client;
    const endpoint = destination.pick(address);
    const rest = this.#isReplayable() ? restMilliseconds.replayable : restMilliseconds.other;
    const idle = endpoint && UpstreamConnection.takeIdle(endpoint, destination.now() - rest);
    if (!idle || !endpoint) this.#reach(endpoint);
    else {
      endpoint.begin();
      this.#use(endpoint, idle);
    }
  }

  /** Passes a part of the request on, `last` with its last byte. False: no more until `onReady`. */
  send(bytes: Buffer, last: boolean): boolean {
    this.#requestDone = last;
    const upstream = this.#upstream;
    if (!upstream || (upstream.isUsed && !this.#heard && this.#isReplayable())) this.#kept.push(bytes);
    const more = upstream ? upstream.socket.write(bytes) : false;
    if (last && this.#answerDone) this.#finish();
    return more;
  }

  /** The client takes more of the answer. */
  resumeAnswer(): void {
    this.#upstream?.socket.resume();
  }

  /** The client is gone. */
  abort(): void {
    this.#callOff?.();
    this.#leave()?.discard();
  }

  onUpstreamData(chunk: Buffer): void {
    this.#heard = true;
    this.#kept = [];
    for (let rest: Buffer | undefined = chunk; rest; ) {
      const part: AnswerPart = this.#answer.read(rest, this.#client.destination.retiring);
      if (part.is === 'broken') {
        this.#fail('does not speak HTTP/1');
        return;
      }
      if (part.is === 'tunnel') {
        this.#becomeTunnel(part.bytes);
        return;
      }
      if (part.bytes.length > 0 && !this.#client.onAnswer(part.bytes)) this.#upstream?.socket.pause();
      if (part.is === 'end') {
        this.#onAnswered(part.clean);
        return;
      }
      rest = part.rest;
    }
  }

  onUpstreamDrain(): void {
    this.#client.onReady();
  }

  onUpstreamEnd(): void {
    if (this.#answerDone || this.#answer.endsWithConnection) this.#finish();
    else this.#onLost();
  }

  onUpstreamClose(): void {
    if (this.#answerDone) this.#finish();
    else this.#onLost();
  }

  #isReplayable(): boolean {
    return this.#request.body.by === 'none' && replayable.includes(this.#request.method);
  }

  #reach(first: EndpointState | undefined): void {
    const { address, destination } = this.#client;
    const callOff = reach(
      destination,
      address,
      reached => {
        this.#callOff = undefined;
        if (reached) this.#use(reached.endpoint, new UpstreamConnection(reached.endpoint, reached.socket));
        else {
          destination.unserved();
          this.#client.onNoAnswer(503, `no endpoint of ${destination.id} takes requests`);
        }
      },
      first,
    );
    if (!this.#upstream) this.#callOff = callOff;
  }

  #use(endpoint: EndpointState, upstream: UpstreamConnection): void {
    this.#endpoint = endpoint;
    this.#upstream = upstream;
    endpoint.served();
    upstream.usedBy(this);
    const kept = this.#kept;
    if (!upstream.isUsed) this.#kept = [];
    let ready = true;
    for (const bytes of kept) ready = upstream.socket.write(bytes);
    if (kept.length > 0 && ready) this.#client.onReady();
  }

  /** The answer is whole. A request that is not goes on first: the endpoint may well read it to its end. */
  #onAnswered(clean: boolean): void {
    this.#answerDone = true;
    if (!clean) this.#upstream?.discard();
    if (!clean || this.#requestDone) this.#finish();
  }

  /** The connection was lost. A request that certainly was not begun, or may be done twice, is sent again. */
  #onLost(): void {
    const mayReplay = this.#upstream?.isUsed && !this.#heard && this.#isReplayable();
    if (!mayReplay) {
      this.#fail('ended the connection');
      return;
    }
    this.#leave()?.discard();
    this.#reach(undefined);
  }

  #fail(what: string): void {
    const { destination } = this.#client;
    this.#endpoint?.failed();
    this.#leave()?.discard();
    if (this.#answer.head) this.#client.onCut();
    else this.#client.onNoAnswer(502, `the endpoint of ${destination.id} ${what}`);
  }

  #finish(): void {
    const head = this.#answer.head;
    if (head && head.status >= 500) this.#endpoint?.failed();
    const mayRest = this.#requestDone && this.#answerDone && head?.keepAlive;
    const upstream = this.#leave();
    if (mayRest) upstream?.rest(this.#client.destination.now());
    else upstream?.discard();
    this.#client.onDone(this.#requestDone && head?.keepAlive === true);
  }

  #becomeTunnel(bytes: Buffer): void {
    const [endpoint, upstream] = [this.#endpoint, this.#upstream];
    this.#endpoint = undefined; // in flight until the tunnel ends
    this.#upstream = undefined;
    if (endpoint && upstream) this.#client.onTunnel({ endpoint, socket: upstream.release() }, bytes);
  }

  /** The endpoint has nothing to do with this request any more. */
  #leave(): UpstreamConnection | undefined {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    this.#endpoint?.end();
    this.#endpoint = undefined;
    return upstream;
  }
}
