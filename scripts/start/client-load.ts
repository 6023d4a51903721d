/** Clients of the example identity service, for walk-throughs and journeys: they write, read back, and count what fails. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { timedRequest } from './timed-request.ts';

/** Where the clients go, how many they are, and how many requests all of them send in a second. */
export interface LoadWish {
  readonly address: string;
  readonly port: number;
  readonly clients: number;
  readonly perSecond: number;
  /** An answer that takes longer is a failure. Five seconds unless told. */
  readonly limitMs?: number;
  /** With so many users written, no more are made, and the ones that are there are used. Two thousand unless told. */
  readonly mostUsers?: number;
}

export interface LoadCounts {
  readonly requests: number;
  /** Anything but the expected answer: another status or content, a connection that failed, no answer in time. */
  readonly failed: number;
  /** Requests by the version that answered. */
  readonly byVersion: Readonly<Record<string, number>>;
}

/** What reading every acknowledged write back found. */
export interface WritesCheck {
  readonly checked: number;
  /** One line for each user who is not there, or not as written. */
  readonly lost: readonly string[];
}

export interface ClientLoad {
  counts(): LoadCounts;
  /** What the last failed request was, and what came of it. */
  readonly lastFailure: string | undefined;
  /** Reads every user back whose creation was acknowledged. May be called while the load goes on. */
  checkWrites(): Promise<WritesCheck>;
  /** Ends when the requests in flight have their answers. May be called again. */
  stop(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A request, and which answer it has to get. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly content?: unknown;
  readonly status: number;
  /** The field of the answer that matters. */
  readonly field?: string;
  /** Whether that field says what it should. */
  readonly isRight?: (fields: Fields) => boolean;
}
type Ask = (asked: Asked) => Promise<Fields | undefined>;

interface User {
  readonly id: string;
  readonly name: string;
}

/** Starts the clients. Half of them keep their connections, the others open one for each request. */
export function startLoad(wish: LoadWish): ClientLoad {
  return new RunningLoad(wish);
}

class RunningLoad implements ClientLoad {
  lastFailure: string | undefined;
  readonly #wish: LoadWish;
  readonly #users: User[] = [];
  readonly #byVersion: Record<string, number> = {};
  readonly #over = new AbortController();
  readonly #clients: readonly Promise<void>[];
  #requests = 0;
  #failed = 0;
  #names = 0;

  constructor(wish: LoadWish) {
    this.#wish = wish;
    this.#clients = Array.from({ length: wish.clients }, (_, index) => this.#client(index));
  }

  counts(): LoadCounts {
    return { requests: this.#requests, failed: this.#failed, byVersion: { ...this.#byVersion } };
  }

  async checkWrites(): Promise<WritesCheck> {
    const users = [...this.#users];
    const lost: string[] = [];
    const queue = users.values();
    const reader = async () => {
      for (const { id, name } of queue) {
        const answer = await this.#request('GET', `/v3/users/${id}`, undefined, undefined);
        const found = 'failure' in answer || answer.status !== 200 ? undefined : fieldOf(answer.text, 'user');
        if (found?.['name'] !== name) lost.push(`user ${id} (${name}): ${describe(answer)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, reader));
    return { checked: users.length, lost };
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#clients);
  }

  /** One client: a user, a token for them, and both read back, over and over. */
  async #client(index: number): Promise<void> {
    const agent = index % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    const everyMs = (1000 * this.#wish.clients) / this.#wish.perSecond;
    let next = performance.now() + (everyMs * index) / this.#wish.clients;
    const turn = async () => {
      await pause(Math.max(0, next - performance.now()), undefined, { signal: this.#over.signal }).catch(
        () => undefined, // stopped: the turn is refused below
      );
      // Who fell behind does not catch up: a slow service gets fewer requests, not more at once.
      next = Math.max(next + everyMs, performance.now());
      return !this.#over.signal.aborted;
    };
    while (!this.#over.signal.aborted) await this.#round(agent, turn);
    agent?.destroy();
  }

  async #round(agent: Agent | undefined, turn: () => Promise<boolean>): Promise<void> {
    const ask: Ask = async asked => ((await turn()) ? this.#expect(agent, asked) : undefined);
    const user = await this.#someUser(ask);
    if (!user) return;
    const { id, name } = user;
    await ask({
      ...{ method: 'GET', path: `/v3/users/${id}`, status: 200, field: 'user' },
      isRight: read => read['name'] === name,
    });
    const login = { method: 'POST', path: '/v3/tokens', status: 201, field: 'token', content: { name } };
    const token = await ask({ ...login, isRight: ({ id: made }) => typeof made === 'string' });
    if (!token) return;
    const path = `/v3/tokens/${String(token['id'])}`;
    await ask({
      ...{ method: 'GET', path, status: 200, field: 'token' },
      isRight: shown => (shown['user'] as Partial<User> | undefined)?.id === id,
    });
    await ask({ method: 'DELETE', path, status: 200 });
  }

  async #someUser(ask: Ask): Promise<User | undefined> {
    if (this.#users.length >= (this.#wish.mostUsers ?? 2000)) {
      return this.#users[Math.floor(Math.random() * this.#users.length)];
    }
    this.#names += 1;
    const name = `client-${process.pid}-${this.#names}`;
    const made = await ask({
      ...{ method: 'POST', path: '/v3/users', status: 201, field: 'user', content: { name } },
      isRight: user => user['name'] === name && typeof user['id'] === 'string',
    });
    if (!made) return undefined;
    const user = { id: String(made['id']), name };
    this.#users.push(user);
    return user;
  }

  /** The expected answer; undefined, and counted, where it was another. */
  async #expect(agent: Agent | undefined, asked: Asked): Promise<Fields | undefined> {
    const { method, path, status, content, field, isRight = () => true } = asked;
    const answer = await this.#request(method, path, content, agent);
    this.#requests += 1;
    const version = 'failure' in answer ? undefined : answer.servedBy?.split('/')[0];
    if (version !== undefined) this.#byVersion[version] = (this.#byVersion[version] ?? 0) + 1;
    if (!('failure' in answer) && answer.status === status) {
      const fields = field === undefined ? {} : fieldOf(answer.text, field);
      if (fields && isRight(fields)) return fields;
    }
    this.#failed += 1;
    this.lastFailure = `${method} ${path}: ${describe(answer)}`;
    return undefined;
  }

  #request(method: string, path: string, content: unknown, agent: Agent | undefined) {
    const { address, port, limitMs = 5000 } = this.#wish;
    return timedRequest({
      ...{ address, port, method, path, limitMs },
      ...(content === undefined ? {} : { content }),
      ...(agent === undefined ? {} : { agent }),
    });
  }
}

function describe(answer: Awaited<ReturnType<typeof timedRequest>>): string {
  return 'failure' in answer ? answer.failure : `${answer.status} ${answer.text.slice(0, 200)}`;
}

/** A field of a JSON answer that is an object itself. */
function fieldOf(text: string, field: string): Fields | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[field];
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
