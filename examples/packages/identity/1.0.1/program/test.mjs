/** Proves that the slice under test does what clients need. What it writes it takes away again. */
import { Client, same } from './client.mjs';
import { version } from './version.mjs';

export async function test(env) {
  const identity = new Client(env, 'identity', 5000, `${version}/${env.SLICE || 'none'}`);
  await identity.ask('GET', '/healthz', 200);
  same('the version', (await identity.ask('GET', '/version', 200)).version, version);
  await identity.ask('POST', '/v3/users', 400, { nickname: 'nobody' });
  await identity.ask('GET', '/v3/users/nobody', 404);
  await identity.ask('GET', '/v3/tokens/nothing', 404);
  await identity.ask('POST', '/v3/tokens', 404, { user: 'nobody' });

  const users = [];
  const tokens = [];
  try {
    await makeUsers(identity, users);
    await makeTokens(identity, users, tokens);
  } finally {
    for (const { id } of tokens) await identity.ask('DELETE', `/v3/tokens/${id}`, 200);
    for (const { id } of users) await identity.ask('DELETE', `/v3/users/${id}`, 200);
  }
  await identity.ask('GET', `/v3/users/${users[0].id}`, 404);
  process.stdout.write(`${identity.calls} calls, all as they should be\n`);
}

async function makeUsers(identity, users) {
  // More than there are replicas: each of them is asked about several users.
  const names = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'].map(name => `test-${name}-${process.pid}`);
  for (const name of names) {
    const { user } = await identity.ask('POST', '/v3/users', 201, { name });
    users.push(user);
    same('the name of a new user', user.name, name);
  }
  for (const user of users) {
    const read = (await identity.ask('GET', `/v3/users/${user.id}`, 200)).user;
    same('a user who is read back', [read.id, read.name], [user.id, user.name]);
  }
  const found = (await identity.ask('GET', `/v3/users?name=${names[0]}`, 200)).users;
  if (!found.some(({ id }) => id === users[0].id)) throw new TypeError(`${names[0]} is not in the list`);
}

async function makeTokens(identity, users, tokens) {
  for (const user of users) {
    const { token } = await identity.ask('POST', '/v3/tokens', 201, { user: user.id });
    tokens.push(token);
    const shown = (await identity.ask('GET', `/v3/tokens/${token.id}`, 200)).token;
    same('whose token it is', [shown.user.id, shown.user.name], [user.id, user.name]);
  }
}
