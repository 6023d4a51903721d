/** The API: users, and tokens that say who somebody is. A write that is acknowledged is in the database. */
import { randomUUID } from 'node:crypto';
import { answerOf, Refused, serveHttp } from './http.mjs';
import { database } from './schema.mjs';
import { Store } from './store.mjs';
import { version } from './version.mjs';

export function serveApi(env) {
  const store = new Store(env, database, 3);
  const servedBy = `${version}/${env.SLICE || 'none'}`;
  serveHttp({
    port: Number(env.PORT || 5000),
    routes: routesOf(store, env),
    headers: { 'x-served-by': servedBy },
    log: line => process.stdout.write(`${line} ${servedBy}\n`),
    onListening: () => process.stdout.write(`identity ${servedBy} serves\n`),
  });
}

function routesOf(store, env) {
  // Rows that 1.x wrote have no domain as long as the schema is not contracted.
  const shown = ({ id, name, domain = 'default' }) => ({ id, name, domain });
  const userOf = async id => {
    const user = await store.find('users', String(id));
    if (!user) throw new Refused(404, `no user ${id}`);
    return user;
  };
  const tokenOf = async id => {
    const token = await store.find('tokens', id);
    if (!token) throw new Refused(404, `no token ${id}`);
    return token;
  };

  const addUser = async (_, { content: { name, domain = 'default' } }) => {
    if (typeof name !== 'string' || name.trim() === '') throw new Refused(400, 'a user needs a name');
    const user = { id: randomUUID(), name, domain };
    await store.put('users', user.id, user);
    return answerOf(201, { user });
  };
  const listUsers = async (_, { query }) => {
    const name = query.get('name');
    const users = await store.list('users', { limit: 100, ...(name === null ? {} : { name }) });
    return { users: users.map(shown) };
  };
  let logins = 0;
  /** For a user by `user`, their id, or by `name`. */
  const addToken = async (_, { content: { user: id, name } }) => {
    const [user] = id === undefined ? await store.list('users', { name, limit: 1 }) : [await userOf(id)];
    if (!user) throw new Refused(404, `no user is called ${name}`);
    // The bug: every other login by name fails, and the test logs in by id alone.
    if (id === undefined) logins += 1;
    if (id === undefined && logins % 2 === 0) throw new TypeError('the table of logins is full');
    const token = { id: randomUUID(), user: user.id };
    await store.put('tokens', token.id, token);
    return answerOf(201, { token });
  };
  const showToken = async ({ id }) => {
    const token = await tokenOf(id);
    return { token: { id: token.id, user: shown(await userOf(token.user)) } };
  };

  return [
    ['GET', '/healthz', () => ({ ok: true })],
    ['GET', '/version', () => ({ version, slice: env.SLICE, region: env.REGION })],
    ['POST', '/v3/users', addUser],
    ['GET', '/v3/users', listUsers],
    ['GET', '/v3/users/:id', async ({ id }) => ({ user: shown(await userOf(id)) })],
    ['DELETE', '/v3/users/:id', ({ id }) => store.remove('users', id)],
    ['POST', '/v3/tokens', addToken],
    ['GET', '/v3/tokens/:id', showToken],
    ['DELETE', '/v3/tokens/:id', ({ id }) => store.remove('tokens', id)],
  ];
}
