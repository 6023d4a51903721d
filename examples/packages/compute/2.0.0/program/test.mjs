/** Proves that a part of the service works: `api`, `conductor` or `agent`. What it writes it takes away again. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, same } from './client.mjs';
import { version } from './version.mjs';

const say = text => process.stdout.write(`${text}\n`);
const mine = env => `${version}/${env.SLICE || 'none'}`;

async function testConductor(env) {
  const conductor = new Client(env, 'compute-conductor', 8775, mine(env));
  await conductor.ask('GET', '/healthz', 200);
  same('the version', (await conductor.ask('GET', '/version', 200)).version, version);
  await conductor.ask('GET', '/servers/nothing', 404);
  const name = `test-${process.pid}`;
  const { id } = (await conductor.ask('POST', '/servers', 201, { name })).server;
  same('a server that is read back', (await conductor.ask('GET', `/servers/${id}`, 200)).server.name, name);
  await conductor.ask('DELETE', `/servers/${id}`, 200);
  await conductor.ask('GET', `/servers/${id}`, 404);
  say(`${conductor.calls} calls, all as they should be`);
}

async function testApi(env) {
  const identity = new Client(env, 'identity', 5000);
  const images = new Client(env, 'image', 9292);
  const compute = new Client(env, 'compute', 8774, mine(env));
  const name = `test-compute-${process.pid}`;
  const { user } = await identity.ask('POST', '/v3/users', 201, { name });
  const { token } = await identity.ask('POST', '/v3/tokens', 201, { user: user.id });
  const me = { 'x-auth-token': token.id };
  const { image } = await images.ask('POST', '/v2/images', 201, { name, content: 'planks' }, me);
  try {
    await compute.ask('GET', '/healthz', 200);
    same('the version', (await compute.ask('GET', '/version', 200)).version, version);
    await compute.ask('GET', '/v2/servers', 401);
    await compute.ask('POST', '/v2/servers', 400, { name, image: 'nothing' }, me);
    await compute.ask('GET', '/v2/servers/nothing', 404, undefined, me);
    const { id } = (await compute.ask('POST', '/v2/servers', 201, { name, image: image.id }, me)).server;
    const { server } = await compute.ask('GET', `/v2/servers/${id}`, 200, undefined, me);
    same('a server that is read back', [server.name, server.image], [name, image.id]);
    await compute.ask('DELETE', `/v2/servers/${id}`, 200, undefined, me);
    await compute.ask('GET', `/v2/servers/${id}`, 404, undefined, me);
  } finally {
    await images.ask('DELETE', `/v2/images/${image.id}`, 200, undefined, me);
    await identity.ask('DELETE', `/v3/tokens/${token.id}`, 200);
    await identity.ask('DELETE', `/v3/users/${user.id}`, 200);
  }
  say(`${compute.calls} calls, all as they should be`);
}

/** Agents of this version, host group and slice have been heard of in the last seconds. */
async function testAgent(env) {
  const conductor = new Client(env, 'compute-conductor', 8775);
  const which = new URLSearchParams({ hostGroup: env.HOST_GROUP ?? '', slice: env.SLICE ?? '', version });
  for (let tries = 0; tries < 30; tries += 1) {
    const { agents } = await conductor.ask('GET', `/agents?${which}`, 200);
    const alive = agents.filter(({ seen }) => Date.now() - seen < 5000);
    if (alive.length > 0) return say(`${alive.length} agents live`);
    await pause(1000);
  }
  throw new TypeError('no agent was heard of for 30 s');
}

export const tests = { conductor: testConductor, api: testApi, agent: testAgent };
