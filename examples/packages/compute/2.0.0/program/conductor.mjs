/** The conductor: the one part that talks to the database. Agents tell it that they live, and get servers to run. */
import { randomUUID } from 'node:crypto';
import { answerOf, Refused, serveHttp } from './http.mjs';
import { database } from './schema.mjs';
import { Store } from './store.mjs';
import { version } from './version.mjs';

export function serveConductor(env) {
  const store = new Store(env, database, 3);
  const servedBy = `${version}/${env.SLICE || 'none'}`;
  serveHttp({
    port: Number(env.PORT || 8775),
    routes: routesOf(store),
    headers: { 'x-served-by': servedBy },
    log: line => process.stdout.write(`${line} ${servedBy}\n`),
    onListening: () => process.stdout.write(`conductor ${servedBy} serves\n`),
  });
}

function routesOf(store) {
  const addServer = async (_, { content: { id = randomUUID(), name, image, zone = 'default' } }) => {
    const server = { id, name, image, state: 'building', zone };
    await store.put('servers', id, server);
    return answerOf(201, { server });
  };
  const showServer = async ({ id }) => {
    const server = await store.find('servers', id);
    if (!server) throw new Refused(404, `no server ${id}`);
    return { server };
  };
  /** An agent lives: it gets what is to be built. */
  const heartbeat = async ({ id }, { content }) => {
    await store.put('agents', id, { ...content, id, seen: Date.now() });
    const waiting = await store.list('servers', { state: 'building' });
    const built = [];
    for (const server of waiting) {
      if (await store.merge('servers', server.id, { state: 'active', host: id })) built.push(server.id);
    }
    return { servers: built };
  };
  return [
    ['GET', '/healthz', () => ({ ok: true })],
    ['GET', '/version', () => ({ version })],
    ['POST', '/servers', addServer],
    ['GET', '/servers', async () => ({ servers: await store.list('servers', { limit: 100 }) })],
    ['GET', '/servers/:id', showServer],
    ['DELETE', '/servers/:id', ({ id }) => store.remove('servers', id)],
    ['PUT', '/agents/:id', heartbeat],
    ['DELETE', '/agents/:id', ({ id }) => store.remove('agents', id)],
    [
      'GET',
      '/agents',
      async (_, { query }) => ({ agents: await store.list('agents', Object.fromEntries(query)) }),
    ],
  ];
}
