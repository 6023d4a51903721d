/** Clients of a real Keystone: an open loop of every kind of call, a ledger of what was acknowledged, and all of it read back at the end. */
import { KeepingAgent } from './keeping-agent.ts';
import { acts, type Begun, headersOf, type Identity, roundOfActs } from './keystone-acts.ts';
import {
  type Answered,
  ask,
  bodyOf,
  faultOf,
  type KeystoneRequest,
  type Login,
  loginRequest,
  sayAnswered,
  tokenIn,
} from './keystone-request.ts';
import { type OpenLoop, startOpenLoop } from './open-loop.ts';
import { type ReadBack, readBack } from './read-back.ts';
import type { RowsInSql } from './sql-rows.ts';
import { type Counts, type Fault, Tally } from './tally.ts';
import { WriteLedger } from './write-ledger.ts';

/** Where Keystone is, who asks, and how much. */
export interface KeystoneLoadWish {
  /** `http://127.0.0.1:5000`. */
  readonly url: string;
  readonly admin: Login;
  readonly ratePerSecond: number;
  /** So many, of which half keep their connections. Eight unless told. */
  readonly clients?: number;
  /** It stops by itself after so many requests or seconds. 100,000 and half an hour unless told. */
  readonly mostRequests?: number;
  readonly mostSeconds?: number;
  /** An answer that takes longer is a failure. Five seconds unless told. */
  readonly limitMs?: number;
  /**
   * While so many requests have no answer, turns are left out, and counted: the service is down or cannot do more, which those that wait tell
   * already. 400 unless told.
   */
  readonly mostInFlight?: number;
  /** Asks Keystone's database, so that a stale cache is told from a lost write. */
  readonly readSql?: RowsInSql;
}

/** What a load came to. A client is content where `failed`, `lost`, `stale` and `unread` are nothing. */
export interface KeystoneReport extends Counts, ReadBack {
  /** 401 and 404 to requests for what was there. */
  readonly wrongRefusals: number;
  /** Right answers that took more than five seconds. */
  readonly slow: number;
  /** Writes of which nobody was told whether they were carried out; they are not read back. */
  readonly unsure: number;
  /** Turns that had nothing to do yet, or found too many requests without an answer. */
  readonly skipped: number;
  /** Requests of the clients that keep their connections, and how many connections those were. */
  readonly kept: { readonly requests: number; readonly connections: number };
  /** How far the clients were behind their own schedule at most. */
  readonly mostBehindMs: number;
}

/** A load at work. */
export interface KeystoneLoad {
  counts(): Counts;
  /** Ends when it has come to its own end, or was stopped, and nothing is in flight. */
  readonly over: Promise<void>;
  /** Ends it, waits for what is in flight, reads everything back. Called again it gives the same report. */
  stop(): Promise<KeystoneReport>;
}

const assignable = 5;
const usualMostInFlight = 400;

/** Starts clients of Keystone. Logs in and lays out what role assignments are about first; fails where that cannot be done. */
export async function startKeystoneLoad(wish: KeystoneLoadWish): Promise<KeystoneLoad> {
  const url = new URL(wish.url);
  const identity = await logIn(url, wish.admin);
  await layOut(url, identity);
  const load = new Load(url, identity, wish);
  let report: Promise<KeystoneReport> | undefined;
  return {
    counts: () => load.tally.counts(),
    over: load.over,
    stop: () => {
      report ??= load.stop(wish.readSql);
      return report;
    },
  };
}

class Load {
  readonly tally = new Tally();
  readonly over: Promise<void>;
  readonly #url: URL;
  readonly #identity: Identity;
  readonly #agents: readonly (KeepingAgent | undefined)[];
  readonly #limitMs: number | undefined;
  readonly #mostInFlight: number;
  readonly #round = roundOfActs();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #loop: OpenLoop;
  #skipped = 0;
  #keptRequests = 0;

  constructor(url: URL, identity: Identity, wish: KeystoneLoadWish) {
    this.#url = url;
    this.#identity = identity;
    this.#limitMs = wish.limitMs;
    this.#mostInFlight = wish.mostInFlight ?? usualMostInFlight;
    this.#agents = Array.from({ length: wish.clients ?? 8 }, (_, index) =>
      // One that waits for the next request is enough: a server may keep a thread for each.
      index % 2 === 0 ? new KeepingAgent({ keepAlive: true, maxFreeSockets: 1 }) : undefined,
    );
    const { ratePerSecond: perSecond, mostRequests: mostTurns = 100_000, mostSeconds = 1800 } = wish;
    this.#loop = startOpenLoop({ perSecond, mostTurns, mostSeconds }, index => this.#turn(index));
    this.over = this.#end();
  }

  async stop(readSql: RowsInSql | undefined): Promise<KeystoneReport> {
    this.#loop.stop();
    await this.over;
    const identity = { ...this.#identity, token: await freshToken(this.#url, this.#identity) };
    const read = await readBack(this.#url, identity, readSql);
    const counts = this.tally.counts();
    const { ledger } = this.#identity;
    const of = (...faults: readonly Fault[]) =>
      counts.failures
        .filter(({ fault }) => faults.includes(fault))
        .reduce((sum, { count }) => sum + count, 0);
    return {
      ...counts,
      ...read,
      ...{ wrongRefusals: of('wrong 401', 'wrong 404'), slow: of('slow') },
      unsure: ledger.unsureCreations + ledger.entries.filter(({ isUnsure }) => isUnsure).length,
      kept: {
        requests: this.#keptRequests,
        connections: this.#agents.reduce((sum, agent) => sum + (agent?.connections ?? 0), 0),
      },
      ...{ skipped: this.#skipped, mostBehindMs: Math.round(this.#loop.mostBehindMs) },
    };
  }

  async #end(): Promise<void> {
    await this.#loop.over;
    this.tally.close();
    await Promise.all(this.#inFlight);
    for (const agent of this.#agents) agent?.destroy();
  }

  #turn(index: number): void {
    const kind = this.#round[index % this.#round.length] ?? '';
    const begun = this.#inFlight.size < this.#mostInFlight ? acts[kind]?.act(this.#identity) : undefined;
    if (!begun) {
      this.#skipped += 1;
      return;
    }
    const agent = this.#agents[Math.floor(Math.random() * this.#agents.length)];
    if (agent) this.#keptRequests += 1;
    const sent = this.#send(kind, begun, agent).finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }

  async #send(kind: string, begun: Begun, agent: KeepingAgent | undefined): Promise<void> {
    const manner = { agent, limitMs: this.#limitMs };
    const answer = await ask(this.#url, begun.asked, manner);
    const fault = faultOf(answer, begun.asked, manner);
    this.tally.count(kind, answer, fault);
    // A late answer is a failure, and it is an acknowledgement.
    if (!('failure' in answer) && (fault === undefined || fault === 'slow')) begun.done(answer);
    else begun.failed('failure' in answer || answer.status >= 500 || fault === 'wrong content');
  }
}

async function logIn(url: URL, admin: Login): Promise<Identity> {
  const { content: login } = loginRequest(admin);
  const { token, body } = await issue(url, login);
  const userId = String((body?.['user'] as { id?: unknown } | undefined)?.id);
  let names = 0;
  const prefix = `load-${process.pid}-${Date.now().toString(36)}`;
  const name = () => {
    names += 1;
    return `${prefix}-${names}`;
  };
  return { token, userId, login, ledger: new WriteLedger(), name };
}

async function issue(url: URL, login: object) {
  const answer = await needed(url, { method: 'POST', path: '/v3/auth/tokens', content: login, status: 201 });
  const token = tokenIn(answer);
  if (token === undefined) throw new Error('Keystone gave no token');
  return { token, body: bodyOf(answer, 'token') };
}

/** For reading back: the token that the load had may be what was lost. */
async function freshToken(url: URL, { login, token }: Identity): Promise<string> {
  return issue(url, login).then(
    issued => issued.token,
    () => token, // then nothing can be read, and the report says so thing by thing
  );
}

/** Users and projects that stay, and every assignment of a role between them, none of which is there yet. */
async function layOut(url: URL, identity: Identity): Promise<void> {
  const headers = headersOf(identity);
  const make = async (field: string, folder: string) => {
    const content = { [field]: { name: identity.name() } };
    const answer = await needed(url, { method: 'POST', path: folder, content, headers, status: 201 });
    return String(bodyOf(answer, field)?.['id']);
  };
  const listed = await needed(url, { method: 'GET', path: '/v3/roles', headers, status: 200 });
  const { roles } = JSON.parse(listed.text) as { roles: { id: string; name: string }[] };
  const given = roles.filter(({ name }) => name === 'member' || name === 'reader');
  if (given.length === 0) throw new Error('Keystone has neither of the roles member and reader');
  const users: string[] = [];
  const projects: string[] = [];
  for (let count = 0; count < assignable; count++) {
    users.push(await make('user', '/v3/users'));
    projects.push(await make('project', '/v3/projects'));
  }
  for (const user of users)
    for (const project of projects)
      for (const { id: role } of given)
        identity.ledger.add({
          ...{ kind: 'role assignment', id: `${user}/${project}/${role}`, assigned: [user, project, role] },
          path: `/v3/projects/${project}/users/${user}/roles/${role}`,
          ...{ isThere: false, isUnsure: false },
        });
}

async function needed(url: URL, asked: KeystoneRequest): Promise<Extract<Answered, { status: number }>> {
  const answer = await ask(url, asked);
  if ('failure' in answer || answer.status !== asked.status)
    throw new Error(`the load cannot begin: ${sayAnswered(answer)}`);
  return answer;
}
