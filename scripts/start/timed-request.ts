import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';

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
      readonly headers: IncomingHttpHeaders;
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
        const { headers, statusCode = 0 } = response;
        const servedBy = headers['x-served-by'];
        end({ status: statusCode, text, servedBy: servedBy ? String(servedBy) : undefined, headers });
      });
      response.on('error', fail);
    });
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer for ${limitMs} ms${sayConnection(sent.socket)}`)),
      limitMs,
    );
    const end = (answered: Answered) => {
      clearTimeout(timer);
      resolve(answered);
    };
    const fail = ({ message }: Error) => end({ failure: message });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Which connection nothing came by, for who asks the kernel about it: one that was never made is another matter than one that went silent. */
function sayConnection(socket: Socket | null): string {
  if (!socket || socket.localPort === undefined) return ', and no connection';
  return ` on ${socket.connecting ? 'a connection that was not made' : 'the connection'} from port ${socket.localPort}`;
}
