import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ForwarderWorld } from './forwarder-world.contract.ts';
import type { Endpoint, Listener } from './forwarding-table.ts';
import { endpoint, type TestServer, tcpServer } from './servers.contract.ts';

const id = 'default/db:3306';

describe.each(['tcp', 'auto'] as const)('connections to a port of protocol %s', protocol => {
  let world: ForwarderWorld;
  let port = 0;
  const servers: TestServer[] = [];
  const clients: Socket[] = [];

  beforeEach(async () => {
    world = new ForwarderWorld();
    port = await ForwarderWorld.port();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    for (const server of servers.splice(0)) server.close();
    await world.close();
  });

  function listener(...endpoints: readonly Endpoint[]): Listener {
    return { id, address: '127.0.0.1', port, protocol, endpoints };
  }

  async function serve(serving: (socket: Socket) => void): Promise<TestServer> {
    const server = await tcpServer(serving);
    servers.push(server);
    return server;
  }

  async function forwardTo(...endpoints: readonly Endpoint[]): Promise<void> {
    world.write([listener(...endpoints)]);
    await world.startHere();
  }

  async function client(): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    clients.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function all(socket: Socket): Promise<string> {
    const parts: Buffer[] = [];
    socket.on('data', part => parts.push(part));
    await once(socket, 'end');
    return Buffer.concat(parts).toString('latin1');
  }

  test('carry bytes both ways, and each way ends for itself', async () => {
    const server = await serve(socket => {
      let heard = '';
      socket.on('data', chunk => {
        heard += chunk.toString('latin1');
      });
      socket.on('end', () => socket.end(`heard ${heard}`));
    });
    await forwardTo(endpoint(server.port));
    const socket = await client();
    socket.write('\x16\x03\x01 looks');
    await sleep(20);
    socket.end(' like TLS');
    expect(await all(socket)).toBe('heard \x16\x03\x01 looks like TLS');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0 && endpoints[0].requests === 1);
  });

  test('begin with the server where it speaks first', async () => {
    const server = await serve(socket => {
      socket.write('5.7.0-server\n');
      socket.on('data', chunk => socket.end(`you are ${chunk}`));
    });
    await forwardTo(endpoint(server.port));
    const socket = await client();
    const [greeting] = await once(socket, 'data');
    expect(`${greeting}`).toBe('5.7.0-server\n');
    socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await all(socket)).toBe('you are GET / HTTP/1.1\r\n\r\n');
  });

  test('that only begin like a request are bytes after all', async () => {
    const server = await serve(socket => socket.pipe(socket));
    await forwardTo(endpoint(server.port));
    const socket = await client();
    socket.write('GET');
    expect(`${(await once(socket, 'data'))[0]}`).toBe('GET');
  });

  test('where the server ends first stay open the other way', async () => {
    let heard = '';
    const server = await serve(socket => {
      socket.end('bye');
      socket.on('data', chunk => {
        heard += chunk;
      });
    });
    await forwardTo(endpoint(server.port));
    const socket = await client();
    expect(await all(socket)).toBe('bye');
    socket.end('wait');
    await once(socket, 'close');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0 && endpoints[0].requests === 1);
    expect(heard).toBe('wait');
  });

  test('that are broken off are broken off on the other side', async () => {
    const server = await serve(socket => socket.once('data', () => socket.resetAndDestroy()));
    await forwardTo(endpoint(server.port));
    const socket = await client();
    socket.write('\0');
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ECONNRESET');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0);
  });

  test('of a client that is gone leave nothing behind', async () => {
    const server = await serve(socket => socket.resume());
    await forwardTo(endpoint(server.port));
    const socket = await client();
    socket.write('\0');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 1);
    socket.resetAndDestroy();
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0);
    expect(server.sockets.size).toBe(0);
  });

  test('are read no faster than they are taken', async () => {
    const server = await serve(socket => socket.pause());
    await forwardTo(endpoint(server.port));
    const socket = await client();
    let sent = 0;
    const piece = Buffer.alloc(1 << 20);
    // Until neither the kernel nor we take more.
    while (await Promise.race([written(socket, piece).then(() => true), sleep(500, false)])) sent += 1;
    expect(sent).toBeLessThan(64);
  });

  test('go to the next endpoint where nobody listens, and are closed where none is left', async () => {
    const nobody = endpoint(await ForwarderWorld.port());
    const server = await serve(socket => socket.end('there'));
    await forwardTo(nobody, endpoint(server.port));
    expect(await all(await client())).toBe('there');
    await world.apply([listener(nobody)]);
    const socket = await client();
    socket.end('\0');
    await expect(all(socket)).rejects.toThrow();
    await world.listener(id, ({ unserved, endpoints }) => unserved === 1 && (endpoints[0]?.refused ?? 0) > 0);
  });

  test('stay with an endpoint that drains, and are counted until they end', async () => {
    const [old, young] = [
      await serve(socket => socket.pipe(socket)),
      await serve(socket => socket.end('young')),
    ];
    await forwardTo(endpoint(old.port));
    const socket = await client();
    socket.write('\0');
    await once(socket, 'data');
    await world.apply([listener(endpoint(old.port, { state: 'draining' }), endpoint(young.port))]);
    expect(await all(await client())).toBe('young');
    socket.write('still');
    expect(`${(await once(socket, 'data'))[0]}`).toBe('still');
    await world.apply([listener(endpoint(young.port))]);
    const { endpoints } = await world.listener(id);
    expect(endpoints.find(one => one.id === `pod-${old.port}`)).toMatchObject({
      state: 'draining',
      inFlight: 1,
    });
    socket.destroy();
    await world.listener(id, ({ endpoints }) => !endpoints.some(one => one.id === `pod-${old.port}`));
  });
});

test('a connection on which nothing was said moves away from an endpoint that drains', async () => {
  const world = new ForwarderWorld();
  const port = await ForwarderWorld.port();
  const [old, young] = [
    await tcpServer(socket => socket.pipe(socket)),
    await tcpServer(socket => socket.end('young')),
  ];
  const listener = { id, address: '127.0.0.1', port, protocol: 'auto' as const };
  world.write([{ ...listener, endpoints: [endpoint(old.port)] }]);
  await world.startHere();
  const socket = connect({ port, host: '127.0.0.1' });
  await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 1);
  await world.apply([
    { ...listener, endpoints: [endpoint(old.port, { state: 'draining' }), endpoint(young.port)] },
  ]);
  expect(`${(await once(socket, 'data'))[0]}`).toBe('young');
  await world.listener(id, ({ endpoints }) => endpoints.every(({ inFlight }) => inFlight === 0));
  for (const server of [old, young]) server.close();
  socket.destroy();
  await world.close();
});

function written(socket: Socket, piece: Buffer): Promise<void> {
  return new Promise(resolve => socket.write(piece, () => resolve()));
}
