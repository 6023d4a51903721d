import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { ReadPodLog } from '../../cluster/pod-log.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { answerRequest } from './answer-request.ts';
import { KindIndex } from './kind-index.ts';
import { sendError } from './send.ts';
import { tokenCheck } from './who-asks.ts';

/** A certificate and its key, as PEM. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

export interface WireOptions {
  readonly cluster: Cluster;
  /** Every kind that is served at the moment; the same list as long as they are the same. */
  readonly kinds: () => readonly ServedKind[];
  /** What containers wrote; without it there are no logs. */
  readonly logs?: ReadPodLog;
  /** Whoever shows it may do everything. */
  readonly token: string;
  /** What is shown to clients over TLS; without it the protocol is plain. PEM texts. */
  readonly tls?: TlsPair;
  readonly host?: string;
  /** 0: any that is free. */
  readonly port?: number;
  /** Ends the server: watches end, what was begun is answered. */
  readonly signal: AbortSignal;
  /** Told of faults of the server itself. */
  readonly onTrouble?: (doing: string, error: unknown) => void;
}

export interface Wire {
  /** For a kubeconfig: `https://127.0.0.1:41234`. */
  readonly address: string;
  readonly port: number;
  /** New connections are shown this one; those that are open stay. Only where it was started with one. */
  readonly renew: (tls: TlsPair) => void;
  /** After the signal: no connection is left. */
  readonly ended: Promise<void>;
}

/** How long requests that were begun may take after the end was asked for. */
const graceMilliseconds = 5000;
/** Why a signal of a request is aborted that is over: made once, for an error that nobody looks at is dear. */
const isOver = new ClusterError('ServiceUnavailable', 'the request is over');
/** Longer than clients keep a connection that they do not use: a write on one that is just being closed would be lost. */
const keepAliveMilliseconds = 120_000;

/**
 * Serves a cluster in Kubernetes' own protocol. Returns when it can be reached; throws `ServerNotStarted` where the address cannot be
 * had.
 */
export async function startWire(options: WireOptions): Promise<Wire> {
  const { host = '127.0.0.1', port = 0, signal, onTrouble = () => {} } = options;
  const asked = new Set<AbortController>();
  const wire = { ...options, index: new KindIndex(options.kinds), isKnown: tokenCheck(options.token) };
  const server = makeServer(options.tls);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    asked.add(gone);
    response.once('close', () => {
      asked.delete(gone);
      gone.abort(isOver);
    });
    if (signal.aborted) {
      response.setHeader('connection', 'close');
      sendError(response, new ClusterError('ServiceUnavailable', 'the server is ending'));
      return;
    }
    answerRequest(wire, { request, response, gone: gone.signal }).catch((error: unknown) => {
      // Whoever went away in the middle of a request has not broken anything.
      if (response.destroyed || (request.destroyed && !request.complete)) return response.destroy();
      if (!(error instanceof ClusterError))
        onTrouble(`answering ${request.method} ${pathOf(request)}`, error);
      return sendError(response, error);
    });
  });
  await listen(server, host, port);
  const { port: taken } = server.address() as AddressInfo;
  const scheme = options.tls ? 'https' : 'http';
  const address = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  const renew = (tls: TlsPair) => {
    if ('setSecureContext' in server) server.setSecureContext(secureContext(tls));
  };
  return { address, port: taken, renew, ended: endOf(server, signal, asked) };
}

function makeServer(tls: TlsPair | undefined): Server | SecureServer {
  const settings = { keepAliveTimeout: keepAliveMilliseconds, maxHeaderSize: 64 * 1024 };
  return tls ? createSecureServer({ ...settings, ...secureContext(tls) }) : createServer(settings);
}

function secureContext({ certificate, key }: TlsPair) {
  return { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
}

/** Without the query, in which there may be more than a log should have. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

function listen(server: Server | SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${host}:${port} (${cause.code})`;
      reject(new CodedError('ServerNotStarted', message, { cause, details: { host, port } }));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

async function endOf(
  server: Server | SecureServer,
  signal: AbortSignal,
  asked: ReadonlySet<AbortController>,
): Promise<void> {
  if (!signal.aborted) {
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  }
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  for (const gone of [...asked]) gone.abort();
  const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  // A connection whose last answer was given only now is not closed by `close`.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
