import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the proxy does with one request. */
export type Fault =
  | 'pass'
  /** The request is never seen by the server. */
  | 'cut before'
  /** The server does it, and its answer is lost. */
  | 'cut after'
  /** The answer ends in the middle. */
  | 'cut within'
  /** Nothing is ever answered. */
  | 'stall'
  | { readonly status: number; readonly reason: string; readonly retryAfter?: number };

export interface FaultyProxyTarget {
  readonly server: string;
  readonly authority?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** An HTTP proxy on loopback that goes wrong on request. It shows the server its own credentials, so clients need none. */
export class FaultyProxy {
  /** Asked for every request. */
  fault: (asked: { readonly method: string; readonly path: string }) => Fault = () => 'pass';
  readonly seen: string[] = [];
  readonly #open = new Map<ServerResponse, () => void>();
  readonly #target: FaultyProxyTarget;
  readonly #agent: Agent;
  readonly #server = createServer((incoming, outgoing) => this.#serve(incoming, outgoing));

  private constructor(target: FaultyProxyTarget) {
    this.#target = target;
    this.#agent = new Agent({
      keepAlive: true,
      ...(target.authority === undefined ? {} : { ca: target.authority }),
      ...(target.certificate === undefined ? {} : { cert: target.certificate }),
      ...(target.key === undefined ? {} : { key: target.key }),
    });
  }

  static async start(target: FaultyProxyTarget): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts every answer that is under way: watches are. */
  cutOpen(): void {
    for (const outgoing of this.#open.keys()) outgoing.socket?.destroy();
  }

  /** Lets every answer that is under way run dry, with its connection open: as a network does that just drops. */
  freezeOpen(): void {
    for (const freeze of this.#open.values()) freeze();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url: path = '/' } = incoming;
    this.seen.push(`${method} ${path}`);
    this.#open.set(outgoing, () => {});
    outgoing.on('close', () => this.#open.delete(outgoing));
    const fault = this.fault({ method, path });
    if (fault === 'stall') return;
    if (fault === 'cut before') incoming.socket.destroy();
    else if (typeof fault === 'object') refuse(outgoing, fault);
    else this.#forward(incoming, outgoing, fault);
  }

  #forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    fault: 'pass' | 'cut after' | 'cut within',
  ): void {
    const { method, url: path, headers } = incoming;
    const { host: _host, connection: _connection, ...kept } = headers;
    const forwarded = request(`${this.#target.server}${path}`, { method, headers: kept, agent: this.#agent });
    const drop = () => incoming.socket.destroy();
    forwarded.on('error', drop);
    outgoing.on('close', () => forwarded.destroy());
    forwarded.on('response', answer => {
      answer.on('error', drop);
      if (fault === 'cut after') return answer.resume().on('end', drop);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      this.#open.set(outgoing, () => answer.unpipe(outgoing));
      if (fault === 'pass') return answer.on('aborted', drop).pipe(outgoing);
      return answer.once('data', (piece: Buffer) => {
        outgoing.write(piece.subarray(0, piece.length >> 1), () => drop());
      });
    });
    incoming.pipe(forwarded);
  }
}

function refuse(outgoing: ServerResponse, fault: Exclude<Fault, string>): void {
  const { status, reason, retryAfter } = fault;
  if (retryAfter !== undefined) outgoing.setHeader('retry-after', retryAfter);
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  const body = {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    reason,
    code: status,
    message: 'injected',
  };
  outgoing.end(JSON.stringify(body));
}
