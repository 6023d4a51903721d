import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { CodedError } from '../../base/coded-error.ts';
import { ManualClock, settle } from '../contract/manual-clock.contract.ts';
import type { Access, Credentials } from './access/access.ts';
import { fixedCredentials } from './access/access.ts';
import { type ApiAnswer, Connection, type ConnectionOptions } from './connection.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const ok: Answer = response => response.end('{"ok":true}');
const cut: Answer = (_, request) => request.socket.destroy();
const refused =
  (code: number, reason: string, retryAfter?: number): Answer =>
  response => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(code).end(JSON.stringify({ kind: 'Status', reason, message: reason }));
  };

let server: Server | undefined;
let connection: Connection | undefined;
afterEach(async () => {
  await connection?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A server that gives these answers one after the other, the last for ever. */
async function connect(
  answers: readonly Answer[],
  options: ConnectionOptions = {},
  access: Partial<Access> = {},
) {
  const asked: IncomingMessage[] = [];
  server = createServer((request, response) => {
    asked.push(request);
    request
      .resume()
      .on('end', () => answers[Math.min(asked.length, answers.length) - 1]?.(response, request));
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/under/here`;
  connection = new Connection(
    { server: url, credentials: fixedCredentials({}), namespace: 'default', ...access },
    options,
  );
  return { asked, connection };
}

/** Waits in no time, and writes down how long. */
function hasty(): { clock: ManualClock; waits: number[] } {
  const waits: number[] = [];
  const clock = new ManualClock();
  clock.sleep = async milliseconds => {
    waits.push(milliseconds);
  };
  return { clock, waits };
}

const get = { method: 'GET', path: '/a?b=c' } as const;
const post = { method: 'POST', path: '/a', body: { x: 1 } } as const;

describe('a request', () => {
  test('goes under the path of the server, with its headers', async () => {
    const { asked } = await connect([ok], {}, { credentials: fixedCredentials({ token: 'secret' }) });
    const account = { user: 'jo', groups: ['a', 'b'] };
    expect(await connection?.request({ ...post, account })).toEqual({ ok: true });
    expect(asked[0]).toMatchObject({
      url: '/under/here/a',
      method: 'POST',
      headers: {
        authorization: 'Bearer secret',
        'impersonate-user': 'jo',
        'impersonate-group': 'a, b',
        'content-type': 'application/json',
      },
    });
    expect(asked[0]?.headersDistinct['impersonate-group']).toEqual(['a', 'b']);
  });

  test('uses connections again', async () => {
    const { asked } = await connect([ok]);
    for (let turn = 0; turn < 20; turn++) await connection?.request(get);
    // Two, because one is still being put away when the next request comes.
    expect(new Set(asked.map(one => one.socket.remotePort)).size).toBeLessThanOrEqual(2);
  });

  test('that is not answered in time is unreachable', async () => {
    await connect([() => {}], { timeoutSeconds: 0.05 });
    await expect(connection?.request(get)).rejects.toMatchObject({ reason: 'Unreachable', status: 0 });
  });

  test('whose answer does not end in time is unreachable', async () => {
    await connect([response => response.write('{"ok"')], { timeoutSeconds: 0.05 });
    await expect(connection?.request(get)).rejects.toMatchObject({ reason: 'Unreachable' });
  });

  test('to nobody is unreachable', async () => {
    await connect([ok]);
    server?.close();
    await expect(connection?.request(get)).rejects.toMatchObject({ reason: 'Unreachable' });
  });

  test('with signs that no header can carry is refused, and says of what', async () => {
    const { asked } = await connect([ok], {}, { credentials: fixedCredentials({ token: 'a\nsecret: b' }) });
    const error = await connection?.request(get).catch(caught => caught);
    expect(error).toMatchObject({ reason: 'BadRequest' });
    expect(error.message).not.toContain('secret');
    const account = { user: 'a\nb' };
    await expect(connection?.request({ ...get, account })).rejects.toMatchObject({ reason: 'BadRequest' });
    expect(asked).toEqual([]);
  });

  test('carries a name in any script', async () => {
    const { asked } = await connect([ok]);
    await connection?.request({ ...get, account: { user: 'jürgen漢' } });
    const sent = asked[0]?.headers['impersonate-user'];
    expect(Buffer.from(String(sent), 'latin1').toString()).toBe('jürgen漢');
  });

  test('that writes and is answered by half says that it may have been done', async () => {
    await connect([response => response.writeHead(201).end('{"kind":"Conf')]);
    const error = await connection?.request(post).catch(caught => caught);
    expect(error).toMatchObject({ reason: 'InternalError' });
    expect(error.message).toContain('may have been done');
  });

  test('that is answered with no JSON is an internal error', async () => {
    await connect([response => response.end('<html>')]);
    await expect(connection?.request(get)).rejects.toMatchObject({ reason: 'InternalError' });
  });
});

test('every answer is told, and what got none', async () => {
  const told: string[] = [];
  const onAnswer = ({ method, path, code }: ApiAnswer) => void told.push(`${method} ${path} ${code}`);
  const { connection: own } = await connect([ok, refused(404, 'NotFound'), cut], { onAnswer });
  await own.request(get);
  await expect(own.request(get)).rejects.toMatchObject({ reason: 'NotFound' });
  await expect(own.request(post)).rejects.toMatchObject({ reason: 'Unreachable' });
  expect(told).toEqual(['GET /a?b=c 200', 'GET /a?b=c 404', 'POST /a 0']);
});

describe('what is repeated', () => {
  test.each([
    ['a read that is to wait', get, refused(429, 'TooManyRequests', 2), 2, [2250]],
    ['a write that is to wait', post, refused(429, 'TooManyRequests', 2), 2, [2250]],
    ['a read of a server that is not ready', get, refused(503, 'ServiceUnavailable', 1), 2, [1125]],
    ['a read whose connection was cut', get, cut, 2, [0]],
  ])('%s', async (_, request, first, times, waits) => {
    const time = hasty();
    const { asked } = await connect([first, ok], { clock: time.clock });
    expect(await connection?.request(request)).toEqual({ ok: true });
    expect([asked.length, time.waits]).toEqual([times, waits]);
  });

  test.each([
    ['a write whose connection was cut', post, cut, 'Unreachable'],
    [
      'a write of a server that is not ready',
      post,
      refused(503, 'ServiceUnavailable', 1),
      'ServiceUnavailable',
    ],
    ['what is to wait, without a time', get, refused(429, 'TooManyRequests'), 'TooManyRequests'],
    ['what is to wait for too long', get, refused(429, 'TooManyRequests', 3600), 'TooManyRequests'],
    ['a conflict', post, refused(409, 'Conflict'), 'Conflict'],
    ['an error of the server', get, refused(500, 'InternalError'), 'InternalError'],
  ])('not %s', async (_, request, first, reason) => {
    const time = hasty();
    const { asked } = await connect([first, ok], { clock: time.clock });
    await expect(connection?.request(request)).rejects.toMatchObject({ reason });
    expect(asked).toHaveLength(1);
  });

  test('only a few times', async () => {
    const time = hasty();
    const { asked } = await connect([refused(429, 'TooManyRequests', 1)], { clock: time.clock, retries: 3 });
    await expect(connection?.request(get)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(asked).toHaveLength(4);
  });

  test('what was not believed, once, with fresh credentials', async () => {
    let token = 'old';
    const credentials = {
      current: async (): Promise<Credentials> => ({ token }),
      forget: () => {
        token = 'new';
      },
    };
    const { asked } = await connect([refused(401, 'Unauthorized'), ok], {}, { credentials });
    await connection?.request(post);
    expect(asked.map(one => one.headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('not where there are no credentials to be had', async () => {
    let asked = 0;
    const current = async (): Promise<Credentials> => {
      asked += 1;
      throw new CodedError('CredentialsUnavailable', 'no luck');
    };
    await connect([ok], {}, { credentials: { current, forget: () => {} } });
    await expect(connection?.request(get)).rejects.toMatchObject({
      reason: 'Unauthorized',
      cause: { code: 'CredentialsUnavailable' },
    });
    expect(asked).toBe(1);
  });

  test('not for ever what is not believed', async () => {
    const { asked } = await connect([refused(401, 'Unauthorized')]);
    await expect(connection?.request(get)).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(asked).toHaveLength(2);
  });
});

describe('a stream', () => {
  async function readAll(signal?: AbortSignal): Promise<string> {
    let text = '';
    for await (const piece of connection?.stream(get, signal) ?? []) text += piece;
    return text;
  }

  test('gives whole characters however they are cut', async () => {
    const bytes = Buffer.from('größe 🐳');
    const trickle: Answer = async response => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await settle();
      }
      response.end();
    };
    await connect([trickle]);
    expect(await readAll()).toBe('größe 🐳');
  });

  test('that is cut is unreachable', async () => {
    const break_: Answer = (response, request) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => request.socket.destroy());
    };
    await connect([break_]);
    await expect(readAll()).rejects.toMatchObject({ reason: 'Unreachable' });
  });

  test('that is refused says why', async () => {
    await connect([refused(410, 'Expired')]);
    await expect(readAll()).rejects.toMatchObject({ reason: 'Expired' });
  });

  test('ends without an error when it is not wanted any more', async () => {
    const controller = new AbortController();
    await connect([response => response.write('begin', () => controller.abort())]);
    expect(await readAll(controller.signal)).toBeTypeOf('string');
  });

  test('does not hold up requests', async () => {
    const hang: Answer = (response, request) =>
      request.url?.includes('b=c') ? response.write('.') : ok(response, request);
    await connect([hang], { connections: 1 });
    const controller = new AbortController();
    const reading = readAll(controller.signal);
    await settle();
    expect(await connection?.request(post)).toEqual({ ok: true });
    controller.abort();
    await reading;
  });
});
