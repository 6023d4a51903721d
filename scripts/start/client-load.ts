/** Clients of the example identity service, for walk-throughs and journeys: they write, read back, and count what fails. */
import { type Ask, type LoadCounts, type Pace, PacedClients } from './paced-clients.ts';
import { checkWritten, type WritesCheck, type Written } from './written-rows.ts';

export interface LoadWish extends Pace {
  /** With so many users written, no more are made, and the ones that are there are used. Two thousand unless told. */
  readonly mostUsers?: number;
}

/** Clients at work. */
export interface ClientLoad {
  counts(): LoadCounts;
  /** What the last failed request was, and what came of it. */
  readonly lastFailure: string | undefined;
  /** Reads everything back whose creation was acknowledged. May be called while the load goes on. */
  checkWrites(): Promise<WritesCheck>;
  /** Ends when the requests in flight have their answers. May be called again. */
  stop(): Promise<void>;
}

/** Starts clients of identity. Half of them keep their connections, the others open one for each request. */
export function startLoad(wish: LoadWish): ClientLoad {
  const users: Written[] = [];
  const someUser = userMaker(users, wish.mostUsers ?? 2000);
  const clients = new PacedClients(wish, ask => round(ask, someUser));
  return {
    counts: () => clients.counts(),
    get lastFailure() {
      return clients.lastFailure;
    },
    checkWrites: () => checkWritten(clients, users, { folder: '/v3/users', field: 'user' }),
    stop: () => clients.stop(),
  };
}

type SomeUser = (ask: Ask) => Promise<Written | undefined>;

/** A user, a token for them, and both read back. */
async function round(ask: Ask, someUser: SomeUser): Promise<void> {
  const user = await someUser(ask);
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
    isRight: shown => (shown['user'] as Partial<Written> | undefined)?.id === id,
  });
  await ask({ method: 'DELETE', path, status: 200 });
}

/** Loads of this process so far: no two of them give a user the same name. */
let loads = 0;

function userMaker(users: Written[], most: number): SomeUser {
  let names = 0;
  loads += 1;
  const load = loads;
  return async ask => {
    if (users.length >= most) return users[Math.floor(Math.random() * users.length)];
    names += 1;
    const name = `client-${process.pid}-${load}-${names}`;
    const made = await ask({
      ...{ method: 'POST', path: '/v3/users', status: 201, field: 'user', content: { name } },
      isRight: user => user['name'] === name && typeof user['id'] === 'string',
    });
    if (!made) return undefined;
    const user = { id: String(made['id']), name };
    users.push(user);
    return user;
  };
}
