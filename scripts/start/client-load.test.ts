import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientLoad, type LoadWish, startLoad } from './client-load.ts';

/** An identity service that keeps everything in memory, and does wrong what a test wants it to. */
class Identity {
  readonly users = new Map<string, { id: string; name: string }>();
  readonly tokens = new Map<string, string>();
  readonly sockets = new Set<unknown>();
  /** Requests for which it returns true were dealt with by the test. */
  wrong: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  #count = 0;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.sockets.add(request.socket);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const content = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    if (this.wrong(request, response)) return;
    const [, , kind, id = ''] = (request.url ?? '').split('/');
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'x-served-by': '1.0.0/blue' }).end(JSON.stringify(body));
    };
    this.#count += 1;
    const made = `${this.#count}`;
    if (request.method === 'POST' && kind === 'users') {
      this.users.set(made, { id: made, name: content.name });
      send(201, { user: this.users.get(made) });
    } else if (request.method === 'POST') {
      const owner = [...this.users.values()].find(({ name }) => name === content.name);
      this.tokens.set(made, owner?.id ?? '');
      send(201, { token: { id: made } });
    } else if (request.method === 'DELETE') send(this.tokens.delete(id) ? 200 : 404, {});
    else if (kind === 'users') send(this.users.has(id) ? 200 : 404, { user: this.users.get(id) });
    else send(200, { token: { id, user: this.users.get(this.tokens.get(id) ?? '') } });
  }
}

let identity: Identity;
let server: Server;
let load: ClientLoad | undefined;

beforeEach(async () => {
  identity = new Identity();
  server = createServer((request, response) => void identity.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  await load?.stop();
  load = undefined;
  server.closeAllConnections();
  if (server.listening) await new Promise(resolve => server.close(resolve));
});

function start(wish: Partial<LoadWish> = {}): ClientLoad {
  const { port } = server.address() as AddressInfo;
  load = startLoad({ address: '127.0.0.1', port, clients: 4, perSecond: 400, ...wish });
  return load;
}

const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 20_000, interval: 10 });

describe('a load on a service that is well', () => {
  test('has no failure, counts by version, and finds all it wrote', async () => {
    const running = start();
    await until(() => running.counts().requests >= 100);
    await running.stop();
    const { requests, failed, byVersion } = running.counts();
    expect({ failed, lastFailure: running.lastFailure }).toEqual({ failed: 0, lastFailure: undefined });
    expect(byVersion).toEqual({ '1.0.0': requests });
    expect(identity.users.size).toBeGreaterThan(10);
    expect(await running.checkWrites()).toEqual({ checked: identity.users.size, lost: [] });
  });

  test('keeps the connections of half of its clients', async () => {
    const running = start({ clients: 2 });
    await until(() => running.counts().requests >= 60);
    await running.stop();
    const { requests } = running.counts();
    // One client has one connection for all of its requests, the other one for each.
    expect(identity.sockets.size).toBeGreaterThan(requests / 4);
    expect(identity.sockets.size).toBeLessThan((requests * 3) / 4);
  });

  test('sends no more requests than it was asked for', async () => {
    const running = start({ perSecond: 50 });
    const began = performance.now();
    await until(() => running.counts().requests >= 50);
    // The first ones come at once, so that a second is not quite over.
    expect(performance.now() - began).toBeGreaterThan(850);
  });

  test('makes only so many users, takes its tokens away, and goes on', async () => {
    const running = start({ mostUsers: 3 });
    await until(() => running.counts().requests >= 100);
    await running.stop();
    // Clients that were about to make one may be over.
    expect(identity.users.size).toBeLessThanOrEqual(3 + 4);
    expect(identity.tokens.size).toBeLessThanOrEqual(4);
    expect(running.counts().failed).toBe(0);
  });

  test('sends nothing any more once it is stopped', async () => {
    const running = start();
    await until(() => running.counts().requests >= 20);
    await running.stop();
    const { requests } = running.counts();
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(running.counts().requests).toBe(requests);
    await running.stop();
  });
});

describe('a failed request', () => {
  const isToken = (request: IncomingMessage, method: string) =>
    request.method === method && request.url?.startsWith('/v3/tokens') === true;

  test.each<{ what: string; says: RegExp; wrong: Identity['wrong']; limitMs?: number }>([
    {
      what: 'another status',
      says: /^POST \/v3\/tokens: 500 broken$/,
      wrong: (request, response) => {
        if (!isToken(request, 'POST')) return false;
        response.writeHead(500).end('broken');
        return true;
      },
    },
    {
      what: 'the wrong user',
      says: /^GET \/v3\/tokens\/\d+: 200 .*"somebody else"/,
      wrong: (request, response) => {
        if (!isToken(request, 'GET')) return false;
        response.writeHead(200).end('{"token":{"id":"1","user":{"id":"somebody else"}}}');
        return true;
      },
    },
    {
      what: 'an answer that is no JSON',
      says: /^GET \/v3\/tokens\/\d+: 200 <html>$/,
      wrong: (request, response) => {
        if (!isToken(request, 'GET')) return false;
        response.writeHead(200).end('<html>');
        return true;
      },
    },
    {
      what: 'a connection that is cut',
      says: /^POST \/v3\/tokens: (socket hang up|(read|write) (ECONNRESET|EPIPE))$/,
      wrong: request => {
        if (!isToken(request, 'POST')) return false;
        request.socket.destroy();
        return true;
      },
    },
    {
      what: 'an answer that stops half way',
      says: /^POST \/v3\/tokens: aborted$/,
      wrong: (request, response) => {
        if (!isToken(request, 'POST')) return false;
        response.writeHead(201, { 'content-length': 100 });
        response.write('{"token"', () => request.socket.destroy());
        return true;
      },
    },
    {
      what: 'no answer in time',
      says: /^POST \/v3\/tokens: no answer for 300 ms on the connection from port \d+$/,
      limitMs: 300,
      wrong: request => isToken(request, 'POST'),
    },
  ])('is $what', async ({ says, wrong, limitMs = 20_000 }) => {
    identity.wrong = wrong;
    const running = start({ limitMs });
    await until(() => running.counts().failed >= 3);
    await running.stop();
    expect(running.lastFailure).toMatch(says);
    expect(running.counts().failed).toBeLessThan(running.counts().requests);
  });

  test('is a connection that is refused', async () => {
    const running = start();
    await until(() => running.counts().requests >= 10);
    server.closeAllConnections();
    server.close();
    await until(() => running.lastFailure?.includes('ECONNREFUSED') ?? false);
  });
});

test('a write that was acknowledged and is not there is found', async () => {
  const running = start();
  await until(() => identity.users.size >= 10);
  await running.stop();
  const [gone, changed] = [...identity.users.values()];
  identity.users.delete(gone?.id ?? '');
  if (changed) changed.name = 'somebody else';
  const { lost } = await running.checkWrites();
  expect(lost).toHaveLength(2);
  expect(lost[0]).toContain(`user ${gone?.id} (${gone?.name}): 404`);
  expect(lost[1]).toContain(`user ${changed?.id}`);
});
