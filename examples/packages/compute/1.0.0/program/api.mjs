/** The API: servers. Who they belong to is asked of identity, what they are made from of image, the rest of the conductor. */
import { randomUUID } from 'node:crypto';
import { addressIn } from './address.mjs';
import { answerOf, Refused, serveHttp } from './http.mjs';
import { Peer } from './peer.mjs';
import { version } from './version.mjs';
import { makeWho } from './who.mjs';

export function serveApi(env) {
  const servedBy = `${version}/${env.SLICE || 'none'}`;
  serveHttp({
    port: Number(env.PORT || 8774),
    routes: routesOf(env),
    headers: { 'x-served-by': servedBy },
    log: line => process.stdout.write(`${line} ${servedBy}\n`),
    onListening: () => process.stdout.write(`compute ${servedBy} serves\n`),
  });
}

function routesOf(env) {
  const who = makeWho(env);
  const conductor = new Peer(addressIn(env, 'CONDUCTOR', 'http://compute-conductor:8775'), 3);
  const images = new Peer(addressIn(env, 'IMAGE', 'http://image:9292'), 3);

  const addServer = async (_, { headers, content: { name, image } }) => {
    await who(headers);
    if (typeof name !== 'string') throw new Refused(400, 'a server needs a name');
    if (!(await images.find(`/v2/images/${encodeURIComponent(image)}`)))
      throw new Refused(400, `no image ${image}`);
    // With its name decided here, the conductor may be asked twice.
    const server = { id: randomUUID(), name, image };
    return answerOf(201, JSON.parse(await conductor.send('POST', '/servers', JSON.stringify(server))));
  };
  const showServer = async ({ id }, { headers }) => {
    await who(headers);
    const found = await conductor.find(`/servers/${encodeURIComponent(id)}`);
    if (!found) throw new Refused(404, `no server ${id}`);
    return found;
  };
  const removeServer = async ({ id }, { headers }) => {
    await who(headers);
    await conductor.send('DELETE', `/servers/${encodeURIComponent(id)}`);
  };
  const listServers = async (_, { headers }) => {
    await who(headers);
    return conductor.find('/servers');
  };
  return [
    ['GET', '/healthz', () => ({ ok: true })],
    ['GET', '/version', () => ({ version, slice: env.SLICE })],
    ['POST', '/v2/servers', addServer],
    ['GET', '/v2/servers', listServers],
    ['GET', '/v2/servers/:id', showServer],
    ['DELETE', '/v2/servers/:id', removeServer],
  ];
}
