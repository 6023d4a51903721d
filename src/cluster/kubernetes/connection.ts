import { StringDecoder } from 'node:string_decoder';
import { CodedError } from '../../base/coded-error.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Account } from '../cluster.ts';
import { ClusterError, isReason } from '../cluster-error.ts';
import type { Access, Credentials } from './access/access.ts';
import { ConnectionPools } from './connection-pools.ts';
import { errorOfStatus } from './error-of-status.ts';

/** One request to the API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** `application/json` where it is not said. */
  readonly contentType?: string;
  readonly account?: Account | undefined;
}

export interface ConnectionOptions {
  /** Until a request must be answered as a whole. A watch is not meant: it may last. */
  readonly timeoutSeconds?: number;
  /** How often a request is repeated that the server asked to send later. */
  readonly retries?: number;
  /** The longest that is waited for such a repeat; when the server asks for more, the caller is told. */
  readonly longestWaitSeconds?: number;
  /** Connections for requests; watches have their own. */
  readonly connections?: number;
  readonly clock?: Clock;
  /** Told of every answer, and of every request that got none. For counting: it must be quick and must not throw. */
  readonly onAnswer?: (answer: ApiAnswer) => void;
}

/** What became of one request. */
export interface ApiAnswer {
  readonly method: ApiRequest['method'];
  /** With its query. */
  readonly path: string;
  /** The HTTP status; 0 where nothing answered. */
  readonly code: number;
}

const defaults = { timeoutSeconds: 30, retries: 4, longestWaitSeconds: 10, connections: 16 } as const;

/** How long nothing may be heard of a watch. Bookmarks come every minute; who needs to know sooner uses `follow`. */
const silentWatchSeconds = 600;

/**
 * Requests to one API server over kept connections.
 *
 * Repeated by itself, a few times: any request answered 429 with the wish to wait (the server has not done it), a read
 * answered 503 with that wish, a read on a kept connection that turned out to be closed, and once any request answered
 * 401, with fresh credentials. A write whose connection was cut is never repeated: it may have been done. It
 * ends as `Unreachable`.
 */
export class Connection {
  readonly #access: Access;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #options: Required<ConnectionOptions>;
  readonly #pools: ConnectionPools;

  constructor(access: Access, options: ConnectionOptions = {}) {
    const { origin, pathname } = new URL(access.server);
    this.#access = access;
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/$/, '');
    this.#options = { ...defaults, clock: systemClock, onAnswer: () => {}, ...options };
    this.#pools = new ConnectionPools(access, origin, this.#options.connections);
  }

  /** The JSON of the answer. Throws a `ClusterError` for everything that is not a success. */
  async request(request: ApiRequest): Promise<JsonObject> {
    for (let tries = 0, isFresh = false; ; tries++) {
      try {
        return await this.#once(request);
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        // Where there are no credentials, asking for them again at once would not help.
        if (error.reason === 'Unauthorized' && !isFresh && !isOfSource(error.cause)) {
          isFresh = true;
          this.#access.credentials.forget();
          continue;
        }
        const seconds = tries < this.#options.retries ? this.#waitFor(error, request, tries) : undefined;
        if (seconds === undefined) throw error;
        await this.#options.clock.sleep(seconds * 1000);
      }
    }
  }

  /** The text of an answer that goes on, piece by piece. Ends when the server ends it; throws `Unreachable` when it is cut. */
  async *stream(request: ApiRequest, signal: AbortSignal | undefined): AsyncGenerator<string> {
    // Not body.setEncoding: undici's breaks characters whose bytes come in two pieces.
    const decoder = new StringDecoder('utf8');
    for await (const piece of this.bytes(request, signal, silentWatchSeconds)) yield decoder.write(piece);
  }

  /** The same as bytes. `silentSeconds`: how long nothing may be heard; 0 for ever. */
  async *bytes(
    request: ApiRequest,
    signal: AbortSignal | undefined,
    silentSeconds = 0,
  ): AsyncGenerator<Buffer> {
    const { watches, credentials } = await this.#pools.open();
    try {
      const { statusCode, headers, body } = await this.#counted(
        request,
        watches.request({
          ...this.#sent(request, credentials),
          headersTimeout: this.#options.timeoutSeconds * 1000,
          bodyTimeout: silentSeconds * 1000,
          ...(signal ? { signal } : {}),
        }),
      );
      if (statusCode >= 300) {
        if (statusCode === 401) this.#access.credentials.forget();
        throw errorOfStatus(statusCode, parsed(await body.text()), oneOf(headers['retry-after']));
      }
      for await (const piece of body) yield piece;
    } catch (error) {
      if (signal?.aborted) return;
      throw unreachable(error, this.#origin);
    }
  }

  /** Ends every connection, watches too. */
  close(): Promise<void> {
    return this.#pools.close();
  }

  async #once(request: ApiRequest): Promise<JsonObject> {
    const { requests, credentials } = await this.#pools.open();
    try {
      const { statusCode, headers, body } = await this.#counted(
        request,
        requests.request({
          ...this.#sent(request, credentials),
          // One limit over waiting for a connection, connecting, headers and body.
          signal: AbortSignal.timeout(this.#options.timeoutSeconds * 1000),
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
      );
      const answer = parsed(await body.text());
      if (statusCode >= 300) throw errorOfStatus(statusCode, answer, oneOf(headers['retry-after']));
      if (isObject(answer)) return answer;
      const more = request.method === 'GET' ? '' : '; what was asked for may have been done';
      throw new ClusterError(
        'InternalError',
        `${this.#origin} answered with something that is no JSON object${more}`,
      );
    } catch (error) {
      throw unreachable(error, this.#origin);
    }
  }

  async #counted<T extends { readonly statusCode: number }>(
    { method, path }: ApiRequest,
    answer: Promise<T>,
  ): Promise<T> {
    const tell = (code: number) => this.#options.onAnswer({ method, path, code });
    try {
      const given = await answer;
      tell(given.statusCode);
      return given;
    } catch (error) {
      tell(0);
      throw error;
    }
  }

  #sent(
    { method, path, body, contentType = 'application/json', account }: ApiRequest,
    { token }: Credentials,
  ) {
    const { user, groups = [] } = account ?? this.#access.account ?? {};
    return {
      method,
      path: `${this.#prefix}${path}`,
      headers: {
        accept: 'application/json',
        'user-agent': 'afloat',
        ...(token === undefined ? {} : { authorization: `Bearer ${headerText('token', token)}` }),
        ...(user === undefined ? {} : { 'impersonate-user': headerText('user', user) }),
        ...(groups.length === 0
          ? {}
          : { 'impersonate-group': groups.map(group => headerText('group', group)) }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
  }

  /** How long to wait before the request is sent again; undefined when it is not to be. */
  #waitFor(error: ClusterError, { method }: ApiRequest, tries: number): number | undefined {
    const { retryAfterSeconds, reason } = error;
    if (reason === 'Unreachable')
      return method === 'GET' && tries === 0 && isCut(error.cause) ? 0 : undefined;
    const isRepeatable =
      reason === 'TooManyRequests' || (reason === 'ServiceUnavailable' && method === 'GET');
    if (!isRepeatable || retryAfterSeconds === undefined) return undefined;
    if (retryAfterSeconds > this.#options.longestWaitSeconds) return undefined;
    // Those that were sent away together shall not come back together.
    return retryAfterSeconds * (1 + this.#options.clock.random() / 4);
  }
}

/** The bytes of a text as they go into a header. Throws `BadRequest` for signs that would end the header; never repeats a secret. */
function headerText(what: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(text)) {
    throw new ClusterError('BadRequest', `the ${what} has signs in it that no request can carry`);
  }
  return Buffer.from(text).toString('latin1');
}

/** There were no credentials to be had: nothing was sent, and nothing was not believed. */
function isOfSource(cause: unknown): boolean {
  return cause instanceof CodedError && cause.code === 'CredentialsUnavailable';
}

/** The connection was there and ended: for a kept one that means the server went away, perhaps long ago. */
function isCut(cause: unknown): boolean {
  const code = isObject(cause) ? cause['code'] : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function unreachable(error: unknown, origin: string): unknown {
  if (error instanceof ClusterError || isReason(error)) return error;
  const words = error instanceof Error ? error.message || error.name : String(error);
  return new ClusterError('Unreachable', `${origin}: ${words}`, { cause: error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
