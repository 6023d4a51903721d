import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ForwarderWorld } from './forwarder-world.contract.ts';
import type { Endpoint, Listener } from './forwarding-table.ts';
import { ask, endpoint, httpServer, type TestServer, talk, tcpServer } from './servers.contract.ts';

const id = 'default/web:80';

describe.each(['http', 'auto'] as const)('requests to a port of protocol %s', protocol => {
  let world: ForwarderWorld;
  let port = 0;
  let agent: Agent;
  const servers: TestServer[] = [];

  beforeEach(async () => {
    world = new ForwarderWorld();
    port = await ForwarderWorld.port();
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    for (const server of servers.splice(0)) server.close();
    await world.close();
  });

  function listener(endpoints: readonly Endpoint[], more: Partial<Listener> = {}): Listener {
    return { id, address: '127.0.0.1', port, protocol, endpoints, ...more };
  }

  async function forwardTo(...to: readonly (TestServer | Endpoint)[]): Promise<void> {
    const endpoints = to.map(one => ('server' in one ? endpoint(one.port) : one));
    world.write([listener(endpoints)]);
    await world.startHere();
  }

  async function named(name: string): Promise<TestServer> {
    const server = await httpServer((_, response) => response.end(name));
    servers.push(server);
    return server;
  }

  async function raw(
    answer: string,
    until = '\r\n\r\n',
  ): Promise<TestServer & { readonly heard: () => string }> {
    let heard = '';
    const server = await tcpServer(socket => {
      let ahead = '';
      socket.on('data', chunk => {
        heard += chunk.toString('latin1');
        ahead += chunk.toString('latin1');
        if (ahead.includes(until)) {
          ahead = '';
          socket.write(answer);
        }
      });
      socket.on('end', () => socket.end());
    });
    servers.push(server);
    return Object.assign(server, { heard: () => heard });
  }

  test('of one client take turns while its connection stays', async () => {
    const [a, b] = [await named('a'), await named('b')];
    await forwardTo(a, b);
    const bodies = [];
    for (let count = 0; count < 6; count++) bodies.push((await ask(port, { agent })).body);
    expect(bodies.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(Object.keys(agent.freeSockets)).toHaveLength(1);
    expect(a.sockets.size + b.sockets.size).toBe(2);
  });

  test('keep to the weights of slices', async () => {
    const [a, b] = [await named('a'), await named('b')];
    await forwardTo(
      endpoint(a.port, { slice: 'blue', weight: 90 }),
      endpoint(b.port, { slice: 'green', weight: 10 }),
    );
    const bodies: string[] = [];
    for (let count = 0; count < 100; count++) bodies.push((await ask(port, { agent })).body);
    expect(bodies.filter(body => body === 'a')).toHaveLength(90);
    const { slices } = await world.listener(id, ({ slices }) => slices['blue']?.requests === 90);
    expect(slices).toEqual({
      blue: { requests: 90, errors: 0, refused: 0 },
      green: { requests: 10, errors: 0, refused: 0 },
    });
  });

  test('with bodies of any framing come through, and so do their answers', async () => {
    const echo = await httpServer((question, response) => {
      const how = question.url ?? '';
      if (how === '/chunks') question.pipe(response);
      else if (how === '/close') {
        response.setHeader('connection', 'close');
        response.removeHeader('transfer-encoding');
        question.pipe(response);
      } else {
        response.setHeader('content-length', question.headers['content-length'] ?? '0');
        question.pipe(response);
      }
    });
    servers.push(echo);
    await forwardTo(echo);
    for (const path of ['/length', '/chunks', '/close']) {
      const body = randomBytes(200_000).toString('hex');
      expect((await ask(port, { agent, path, method: 'POST', body: Buffer.from(body) })).body).toBe(body);
      if (path === '/length') continue;
      const sent = request({ port, path, method: 'PUT', agent, headers: { 'transfer-encoding': 'chunked' } });
      sent.write(body.slice(0, 1000));
      sent.end(body.slice(1000));
      expect(await bodyOf(sent)).toBe(body);
    }
  });

  test('that have no body in the answer leave the connection usable', async () => {
    const server = await httpServer((question, response) => {
      response.statusCode = question.url === '/204' ? 204 : question.url === '/304' ? 304 : 200;
      response.setHeader('content-length', question.method === 'HEAD' ? 1000 : 0);
      response.end();
    });
    servers.push(server);
    await forwardTo(server);
    const statuses = [
      await ask(port, { agent, method: 'HEAD' }),
      await ask(port, { agent, path: '/204' }),
      await ask(port, { agent, path: '/304' }),
      await ask(port, { agent }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 204, 304, 200]);
    expect(server.sockets.size).toBe(1);
  });

  test('sent one behind the other are answered in their order', async () => {
    const server = await httpServer(async (question, response) => {
      if (question.url === '/1') await sleep(50);
      response.end(`answer ${question.url}`);
    });
    servers.push(server);
    await forwardTo(server);
    const one = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const heard = await talk(port, `${one('/1')}\r\n${one('/2')}`, one('/3', 'Connection: close\r\n'));
    expect(heard.match(/answer \/\d/g)).toEqual(['answer /1', 'answer /2', 'answer /3']);
  });

  test('come through byte for byte, and answers too', async () => {
    const answer =
      'HTTP/1.1 200 Fine\r\nx-Odd-CASE:  kept \r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
    const server = await raw(answer);
    await forwardTo(server);
    const question =
      'GET /%7Ea?b#c HTTP/1.1\r\nhOST: x\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: close\r\n\r\n';
    expect(await talk(port, question)).toBe(answer);
    expect(server.heard()).toBe(question);
  });

  test('wait for leave to send their body', async () => {
    const server = await httpServer((question, response) => question.pipe(response));
    servers.push(server);
    await forwardTo(server);
    const sent = request({
      port,
      method: 'POST',
      agent,
      headers: { expect: '100-continue', 'content-length': 4 },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.end('body');
    expect(await bodyOf(sent)).toBe('body');
  });

  test('for another protocol become tunnels', async () => {
    const server = await tcpServer(socket => {
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello ',
        );
        socket.pipe(socket);
      });
    });
    servers.push(server);
    await forwardTo(server);
    const sent = request({ port, headers: { connection: 'Upgrade', upgrade: 'echo' } });
    sent.end();
    const [, socket, head] = await once(sent, 'upgrade');
    let heard = head.toString();
    socket.on('data', (chunk: Buffer) => {
      heard += chunk;
    });
    socket.end('\0 is no request');
    await once(socket, 'close');
    expect(heard).toBe('hello \0 is no request');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0);
  });

  test('to connect become tunnels', async () => {
    const server = await tcpServer(socket => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(socket);
      });
    });
    servers.push(server);
    await forwardTo(server);
    const sent = request({ port, method: 'CONNECT', path: 'x:443' });
    sent.end();
    const [, socket] = await once(sent, 'connect');
    socket.end('there and back');
    const [heard] = await once(socket, 'data');
    expect(`${heard}`).toBe('there and back');
  });

  test('of a client that has nothing more to say are answered', async () => {
    await forwardTo(await named('answer'));
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let heard = '';
    for await (const chunk of socket) heard += chunk;
    expect(heard).toContain('answer');
  });

  test('answered before they were sent as a whole are sent on', async () => {
    const server = await httpServer((question, response) => {
      response.end('early');
      question.resume();
    });
    servers.push(server);
    await forwardTo(server);
    const sent = request({ port, method: 'POST', agent, headers: { 'content-length': 10 } });
    sent.write('12345');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.end('67890');
    response.resume();
    await once(response, 'end');
    expect((await ask(port, { agent, method: 'POST', body: Buffer.from('x') })).body).toBe('early');
  });

  test.each([
    [
      'chunks and a length',
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n',
      '400',
    ],
    ['a blank before the colon', 'POST / HTTP/1.1\r\nContent-Length : 4\r\n\r\n', '400'],
    ['a broken chunk', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
    ['a head without end', `GET / HTTP/1.1\r\n${'X-Long: value\r\n'.repeat(6000)}`, '431'],
  ])('with %s are refused, and the connection is closed', async (_, question, status) => {
    const server = await raw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await forwardTo(server);
    expect(await talk(port, question, 'GET /hidden HTTP/1.1\r\n\r\n')).toContain(`HTTP/1.1 ${status} `);
    expect(server.heard()).not.toContain('hidden');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0);
  });

  test('go to the next endpoint where nobody listens', async () => {
    const nobody = await ForwarderWorld.port();
    await forwardTo(endpoint(nobody), await named('there'));
    for (let count = 0; count < 4; count++) expect((await ask(port)).body).toBe('there');
    const { endpoints } = await world.listener(id, ({ endpoints }) =>
      endpoints.some(one => one.requests === 4),
    );
    expect(endpoints.map(({ refused }) => refused > 0)).toEqual([true, false]);
  });

  test('that nobody can take are told so', async () => {
    await forwardTo(endpoint(await ForwarderWorld.port()));
    expect((await ask(port)).status).toBe(503);
    expect((await ask(port, { method: 'HEAD' })).status).toBe(503);
    await world.listener(id, ({ unserved }) => unserved === 2);
  });

  test('whose answer is cut off are not taken for whole', async () => {
    const server = await tcpServer(socket => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    });
    servers.push(server);
    await forwardTo(server);
    await expect(ask(port)).rejects.toThrow();
    await world.listener(id, ({ endpoints }) => endpoints[0]?.errors === 1);
  });

  test('without any answer are told so', async () => {
    const server = await tcpServer(socket => socket.once('data', () => socket.destroy()));
    servers.push(server);
    await forwardTo(server);
    expect((await ask(port, { method: 'POST', body: Buffer.from('x') })).status).toBe(502);
    await world.listener(id, ({ endpoints }) => endpoints[0]?.errors === 1);
  });

  test('are sent again where a kept connection turns out to be closed', async () => {
    let connections = 0;
    const server = await tcpServer(socket => {
      connections += 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        // As a server does whose time for kept connections is over just now.
        if (requests === 2) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    servers.push(server);
    await forwardTo(server);
    for (let count = 0; count < 3; count++) expect((await ask(port, { agent })).body).toBe('ok');
    expect(connections).toBe(3);
  });

  test('of any size go no faster than they are taken', async () => {
    const content = randomBytes(1 << 20);
    const total = 16;
    const server = await httpServer(async (question, response) => {
      const hash = createHash('sha256');
      for await (const chunk of question) hash.update(chunk);
      response.setHeader('x-digest', hash.digest('hex'));
      for (let part = 0; part < total; part++) if (!response.write(content)) await once(response, 'drain');
      response.end();
    });
    servers.push(server);
    await forwardTo(server);
    const sent = request({ port, method: 'POST', agent });
    const digest = createHash('sha256');
    for (let part = 0; part < total; part++) {
      digest.update(content);
      if (!sent.write(content)) await once(sent, 'drain');
    }
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const want = digest.digest('hex');
    expect(response.headers['x-digest']).toBe(want);
    const heard = createHash('sha256');
    for await (const chunk of response) {
      heard.update(chunk);
      if (Math.random() < 0.02) await sleep(1);
    }
    expect(heard.digest('hex')).toBe(want);
  });

  test('of one client go to one endpoint where that is asked for', async () => {
    const [a, b] = [await named('a'), await named('b')];
    world.write([listener([endpoint(a.port), endpoint(b.port)], { affinitySeconds: 60 })]);
    await world.startHere();
    const bodies = new Set<string>();
    for (let count = 0; count < 5; count++) bodies.add((await ask(port)).body);
    expect(bodies.size).toBe(1);
  });

  test('in flight are finished by an endpoint that drains, and that is seen', async () => {
    let finish = () => {};
    const slow = await httpServer((_, response) => {
      response.write('begun ');
      finish = () => response.end('and done');
    });
    servers.push(slow);
    const other = await named('other');
    world.write([listener([endpoint(slow.port)])]);
    await world.startHere();
    const going = ask(port, { agent });
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 1);
    await world.apply([listener([endpoint(slow.port, { state: 'draining' }), endpoint(other.port)])]);
    for (let count = 0; count < 4; count++) expect((await ask(port)).body).toBe('other');
    const { endpoints } = await world.listener(id);
    expect(endpoints[0]).toMatchObject({ state: 'draining', inFlight: 1 });
    finish();
    expect((await going).body).toBe('begun and done');
    await world.listener(id, ({ endpoints }) => endpoints[0]?.inFlight === 0);
    expect((await ask(port, { agent })).body).toBe('other');
    expect(slow.sockets.size).toBe(0);
  });

  test('go to an endpoint that is leaving only where no other is', async () => {
    const [leaving, other] = [await named('leaving'), await named('other')];
    await forwardTo(endpoint(leaving.port, { state: 'leaving' }));
    expect((await ask(port)).body).toBe('leaving');
    await world.apply([listener([endpoint(leaving.port, { state: 'leaving' }), endpoint(other.port)])]);
    for (let count = 0; count < 4; count++) expect((await ask(port)).body).toBe('other');
  });

  test('all come through while endpoints come and go', async () => {
    const pool = await Promise.all(['a', 'b', 'c', 'd'].map(named));
    const [first] = pool;
    await forwardTo(first as TestServer);
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    let going = true;
    let requests = 0;
    const clients = agents.map(async own => {
      while (going) {
        const { status } = await ask(port, { agent: own, method: requests % 5 ? 'GET' : 'POST' });
        if (status !== 200) throw new Error(`status ${status}`);
        requests += 1;
      }
    });
    for (let turn = 0; turn < 12; turn++) {
      const serving = pool.filter((_, index) => (index + turn) % 4 < 2);
      await world.apply([
        listener(
          pool.map(one => endpoint(one.port, { state: serving.includes(one) ? 'serving' : 'draining' })),
        ),
      ]);
      await sleep(30);
    }
    going = false;
    await Promise.all(clients);
    for (const own of agents) own.destroy();
    expect(requests).toBeGreaterThan(100);
    const { slices, unserved } = await world.listener(id, ({ slices }) => slices['']?.requests === requests);
    expect({ errors: slices['']?.errors, unserved }).toEqual({ errors: 0, unserved: 0 });
  });
});

async function bodyOf(sent: ReturnType<typeof request>): Promise<string> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += chunk;
  return body;
}
