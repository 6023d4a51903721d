/** Clients of one service at an even pace, and the count of what they were answered. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answered, timedRequest } from './timed-request.ts';

/** Where the clients go, how many they are, and how many requests all of them send in a second. */
export interface Pace {
  readonly address: string;
  readonly port: number;
  readonly clients: number;
  readonly perSecond: number;
  /** An answer that takes longer is a failure. Five seconds unless told. */
  readonly limitMs?: number;
}

export interface LoadCounts {
  readonly requests: number;
  /** Anything but the expected answer: another status or content, a connection that failed, no answer in time. */
  readonly failed: number;
  /** Requests by the version that answered. */
  readonly byVersion: Readonly<Record<string, number>>;
  /** The version that answered last. */
  readonly lastVersion: string | undefined;
  /** For how long in all the last answer that came was a failure. */
  readonly unservedMs: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A request, and which answer it has to get. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly content?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The field of the answer that matters. */
  readonly field?: string;
  /** Whether that field says what it should. */
  readonly isRight?: (fields: Fields) => boolean;
}

/** Sends a request when its turn has come. Undefined where it failed, which was counted, or where the clients were stopped. */
export type Ask = (asked: Asked) => Promise<Fields | undefined>;

/** Clients that repeat a round of requests. Half of them keep their connections, the others open one for each request. */
export class PacedClients {
  /** What the last failed request was, and what came of it. */
  lastFailure: string | undefined;
  readonly #pace: Pace;
  readonly #byVersion: Record<string, number> = {};
  readonly #over = new AbortController();
  readonly #clients: readonly Promise<void>[];
  #lastVersion: string | undefined;
  #requests = 0;
  #failed = 0;
  #unservedMs = 0;
  #unservedSince: number | undefined;

  constructor(pace: Pace, round: (ask: Ask) => Promise<void>) {
    this.#pace = pace;
    this.#clients = Array.from({ length: pace.clients }, (_, index) => this.#client(index, round));
  }

  counts(): LoadCounts {
    const open = this.#unservedSince === undefined ? 0 : performance.now() - this.#unservedSince;
    return {
      requests: this.#requests,
      failed: this.#failed,
      byVersion: { ...this.#byVersion },
      lastVersion: this.#lastVersion,
      unservedMs: this.#unservedMs + open,
    };
  }

  /** A request that is not counted. */
  send(asked: Pick<Asked, 'method' | 'path' | 'content' | 'headers'>, agent?: Agent): Promise<Answered> {
    const { address, port, limitMs = 5000 } = this.#pace;
    return timedRequest({ address, port, limitMs, ...asked, ...(agent === undefined ? {} : { agent }) });
  }

  /** Ends when the requests in flight have their answers. May be called again. */
  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#clients);
  }

  async #client(index: number, round: (ask: Ask) => Promise<void>): Promise<void> {
    const agent = index % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    const everyMs = (1000 * this.#pace.clients) / this.#pace.perSecond;
    let next = performance.now() + (everyMs * index) / this.#pace.clients;
    const turn = async () => {
      await pause(Math.max(0, next - performance.now()), undefined, { signal: this.#over.signal }).catch(
        () => undefined, // stopped: the turn is refused below
      );
      // Who fell behind does not catch up: a slow service gets fewer requests, not more at once.
      next = Math.max(next + everyMs, performance.now());
      return !this.#over.signal.aborted;
    };
    const ask: Ask = async asked => ((await turn()) ? this.#expect(asked, agent) : undefined);
    while (!this.#over.signal.aborted) await round(ask);
    agent?.destroy();
  }

  async #expect(asked: Asked, agent: Agent | undefined): Promise<Fields | undefined> {
    const { method, path, status, field, isRight = () => true } = asked;
    const answer = await this.send(asked, agent);
    this.#requests += 1;
    const version = 'failure' in answer ? undefined : answer.servedBy?.split('/')[0];
    if (version !== undefined) {
      this.#byVersion[version] = (this.#byVersion[version] ?? 0) + 1;
      this.#lastVersion = version;
    }
    if (!('failure' in answer) && answer.status === status) {
      const fields = field === undefined ? {} : fieldOf(answer, field);
      if (fields && isRight(fields)) {
        this.#unservedMs = this.counts().unservedMs;
        this.#unservedSince = undefined;
        return fields;
      }
    }
    this.#failed += 1;
    this.#unservedSince ??= performance.now();
    this.lastFailure = `${method} ${path}: ${sayAnswer(answer)}`;
    return undefined;
  }
}

/** An answer, or why there was none, in a line. */
export function sayAnswer(answer: Answered): string {
  return 'failure' in answer ? answer.failure : `${answer.status} ${answer.text.slice(0, 200)}`;
}

/** A field of a JSON answer that is an object itself. */
export function fieldOf(answer: Answered, field: string): Fields | undefined {
  if ('failure' in answer) return undefined;
  try {
    const value = (JSON.parse(answer.text) as Record<string, unknown> | null)?.[field];
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
