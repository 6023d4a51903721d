import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { CodedError } from '../../base/coded-error.ts';

/** What the probes and Prometheus are told. */
export interface HealthFacts {
  /** `leader`, `standing by`, or what is still waited for. */
  readonly says: () => string;
  /** It leads and everything is known, or it stands by and could lead. */
  readonly isReady: () => boolean;
  readonly metrics: () => string;
}

/** A server for `/healthz`, `/readyz` and `/metrics`. */
export interface HealthServer {
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** Listens at `host:port` or `:port`; port 0 is any. Throws `UsageInvalid` for another text and where it cannot listen. */
export async function startHealthServer(address: string, facts: HealthFacts): Promise<HealthServer> {
  const { host, port } = placeOf(address);
  const server = createServer((request, response) => answer(request.url ?? '', response, facts));
  // A scraper that keeps its connection must not keep the process.
  server.keepAliveTimeout = 5000;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CodedError('UsageInvalid', `--metrics-address ${address} cannot be listened at (${code})`, {
      cause,
    });
  }
  const listening = server.address();
  return {
    port: typeof listening === 'object' && listening ? listening.port : port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(url: string, response: ServerResponse, { says, isReady, metrics }: HealthFacts): void {
  const [path = ''] = url.split('?');
  const send = (status: number, text: string, type = 'text/plain; charset=utf-8') => {
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  if (path === '/healthz') send(200, `ok: ${says()}\n`);
  else if (path === '/readyz') send(isReady() ? 200 : 503, `${says()}\n`);
  else if (path === '/metrics') send(200, metrics(), 'text/plain; version=0.0.4; charset=utf-8');
  else send(404, 'there are /healthz, /readyz and /metrics\n');
}

function placeOf(address: string): { readonly host: string | undefined; readonly port: number } {
  const [, host = '', digits = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65535)
    throw new CodedError(
      'UsageInvalid',
      `--metrics-address ${address} is no address: write host:port or :port`,
    );
  return { host: host === '' ? undefined : host.replace(/^\[(.*)\]$/, '$1'), port };
}
