import { type Agent, request } from 'node:http';

/** One request, and who sends it. */
export interface TimedRequest {
  readonly address: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly content?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keeps connections for the next request; without one each request has a connection of its own. */
  readonly agent?: Agent;
  /** The whole answer must be there by then. */
  readonly limitMs: number;
}

/** What came of it: an answer, or why there is none. */
export type Answered =
  | {
      readonly status: number;
      readonly text: string;
      /** What the header `x-served-by` says. */
      readonly servedBy: string | undefined;
    }
  | { readonly failure: string };

/** Sends a request and waits for the whole answer, but not for longer than its limit. Never throws, and never asks twice. */
export function timedRequest(asked: TimedRequest): Promise<Answered> {
  const { address, port, method, path, content, agent, limitMs } = asked;
  const body = content === undefined ? undefined : JSON.stringify(content);
  const headers = {
    ...asked.headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise(resolve => {
    const sent = request({ host: address, port, method, path, headers, agent: agent ?? false }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += String(chunk);
      });
      response.on('end', () => {
        const servedBy = response.headers['x-served-by'];
        end({ status: response.statusCode ?? 0, text, servedBy: servedBy ? String(servedBy) : undefined });
      });
      response.on('error', fail);
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no answer for ${limitMs} ms`)), limitMs);
    const end = (answered: Answered) => {
      clearTimeout(timer);
      resolve(answered);
    };
    const fail = ({ message }: Error) => end({ failure: message });
    sent.on('error', fail);
    sent.end(body);
  });
}
