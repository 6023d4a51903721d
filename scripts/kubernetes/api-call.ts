import { Agent, type Dispatcher, request } from 'undici';
import type { Access } from './kubeconfig.ts';

/** What an API server answered. */
export interface Answer {
  readonly status: number;
  /** The texts of its `Warning` headers. */
  readonly warnings: readonly string[];
  /** JSON where it is JSON, else text. */
  readonly body: unknown;
}

/** One call and its answer, whatever the status; throws only when there is none. */
export type ApiCall = (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>;

const timeoutSeconds = 20;

/**
 * A bare way to talk to an API server: no retries, no meaning. For the harness and for tests that must see what really
 * came over the wire; everything else uses the product's client.
 */
export function apiCall({ server, authority, certificate, key, token }: Access): ApiCall {
  const connect = { ca: authority, cert: certificate, key };
  // Without pipelining 0 a call could meet a kept connection to a server that was killed meanwhile.
  const dispatcher = new Agent({ connect, pipelining: 0 });
  return async (method, path, body, contentType = 'application/json') => {
    // Not new URL(path, server): the server may be at a path of its own, behind a proxy.
    const answer = await request(`${server.replace(/\/$/, '')}${path}`, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: {
        authorization: token && `Bearer ${token}`,
        'content-type': body === undefined ? undefined : contentType,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    return {
      status: answer.statusCode,
      warnings: warningTexts(answer.headers['warning']),
      body: parsed(await answer.body.text(), answer.headers['content-type']),
    };
  };
}

/** The texts of `Warning: 299 - "text"` headers; one header may hold several. */
export function warningTexts(headers: string | readonly string[] = []): string[] {
  const quoted = [headers]
    .flat()
    .join()
    .matchAll(/"((?:[^"\\]|\\.)*)"/g);
  return [...quoted].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

/** A log that reads like JSON is none. */
function parsed(text: string, contentType: string | readonly string[] = ''): unknown {
  return contentType.includes('application/json') ? JSON.parse(text) : text;
}
