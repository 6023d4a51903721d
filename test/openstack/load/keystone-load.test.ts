import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { acts } from './keystone-acts.ts';
import { type KeystoneLoad, type KeystoneLoadWish, startKeystoneLoad } from './keystone-load.ts';
import { StandInKeystone } from './stand-in-keystone.ts';

let keystone: StandInKeystone;
let url: string;
let load: KeystoneLoad | undefined;

beforeEach(async () => {
  keystone = new StandInKeystone();
  url = await keystone.listen();
});

afterEach(async () => {
  await load?.stop();
  load = undefined;
  await keystone.close();
});

const admin = { user: 'admin', password: 'secret', project: 'admin' };

async function start(wish: Partial<KeystoneLoadWish> = {}): Promise<KeystoneLoad> {
  load = await startKeystoneLoad({ url, admin, ratePerSecond: 200, limitMs: 30_000, ...wish });
  return load;
}

async function afterRequests(running: KeystoneLoad, count: number) {
  await vi.waitUntil(() => running.counts().requests >= count, { timeout: 60_000, interval: 10 });
  return running.stop();
}

/** Does wrong, once, the first request of this method whose path is like that, after some that went well. */
function wrongOnce(method: string, path: RegExp, wrong: Wrong): void {
  let seen = 0;
  keystone.wrong = (request, response) => {
    if (request.method !== method || !path.test(request.url ?? '')) return false;
    seen += 1;
    if (seen !== 12) return false;
    wrong(request, response);
    return true;
  };
}

type Wrong = (request: IncomingMessage, response: ServerResponse) => void;

const refuse =
  (status: number): Wrong =>
  (_, response) => {
    response.writeHead(status).end('{}');
  };
const reset: Wrong = ({ socket }) => {
  socket.destroy();
};

describe('a load on a Keystone that is well', () => {
  test('makes every kind of request, has no failure, and finds all that it wrote', async () => {
    const report = await afterRequests(await start({ readSql: keystone.sql }), 500);
    expect(report).toMatchObject({ failed: 0, failures: [], lost: [], stale: [], unread: [], unsure: 0 });
    expect(Object.keys(report.byKind).sort()).toEqual(Object.keys(acts).sort());
    expect(report.checked).toBeGreaterThan(100);
    expect(report.p99Ms).toBeGreaterThanOrEqual(report.p50Ms);
  });

  test('keeps the connections of half of its clients, those that write too', async () => {
    const report = await afterRequests(await start(), 400);
    // Reading back opens one for each request; of the rest half share a few.
    const opened = keystone.sockets.size - report.checked;
    expect(opened).toBeGreaterThan(400 * 0.3);
    expect(opened).toBeLessThan(report.requests * 0.75);
    expect(report.kept.connections).toBeLessThan(opened);
    expect(report.kept.requests / report.kept.connections).toBeGreaterThan(5);
  });

  test('stops by itself, and gives the same report when it is asked again', async () => {
    const running = await start({ mostRequests: 30 });
    await running.over;
    const report = await running.stop();
    expect(report.requests + report.skipped).toBe(30);
    expect(await running.stop()).toBe(report);
  });
});

describe('a load sees', () => {
  test.each([
    ['a connection that is reset', 'POST', /users$/, reset, 'no answer', 'user creation'],
    ['a wrong 404', 'GET', /auth.tokens$/, refuse(404), 'wrong 404', 'token validation'],
    ['a wrong 401', 'DELETE', /projects.\w+$/, refuse(401), 'wrong 401', 'project removal'],
    ['a 503', 'PATCH', /users.\w+$/, refuse(503), 'other status', 'user change'],
    ['an empty answer', 'POST', /_credentials$/, refuse(201), 'wrong content', 'credential creation'],
  ] as const)('%s', async (_, method, path, wrong, fault, kind) => {
    wrongOnce(method, path, wrong);
    const report = await afterRequests(await start(), 600);
    expect(report).toMatchObject({ failed: 1, failures: [{ kind, fault, count: 1 }], lost: [], unread: [] });
    expect(report.failures[0]?.first).toHaveLength(1);
    expect(report.wrongRefusals).toBe(fault.startsWith('wrong 4') ? 1 : 0);
  });

  test('an answer that comes too late, and counts what it acknowledged', async () => {
    wrongOnce('DELETE', /users.\w+$/, (request, response) => {
      const { status } = keystone.carryOut(request, {});
      setTimeout(() => response.writeHead(status).end(), 3000);
    });
    const report = await afterRequests(await start({ limitMs: 2500 }), 600);
    // On a machine that is busy others may be late, too.
    expect(report.slow).toBeGreaterThanOrEqual(1);
    expect(report.failures).toContainEqual(expect.objectContaining({ kind: 'user removal', fault: 'slow' }));
    expect(report).toMatchObject({ failed: report.slow, lost: [], unsure: 0 });
  });

  test('a write that was acknowledged and is not there', async () => {
    const carryOut = keystone.carryOut.bind(keystone);
    let made = 0;
    keystone.carryOut = (request, content) => {
      const answer = carryOut(request, content);
      if (request.method !== 'POST' || request.url !== '/v3/projects') return answer;
      made += 1;
      const { id } = (answer.body as { project: { id: string } }).project;
      if (made === 20) keystone.things.delete(`/v3/projects/${id}`);
      return answer;
    };
    const report = await afterRequests(await start(), 600);
    expect(report.lost).toHaveLength(1);
    expect(report.lost[0]).toContain('project');
  });

  test('a cache that is stale, and one that hides what is lost', async () => {
    const inDatabase = new Map<string, { id: string }>();
    const running = await start({
      readSql: query => keystone.sql(query, inDatabase),
      mostRequests: 400,
    });
    await running.over;
    const users = [...keystone.things.keys()].filter(path => /^.v3.users.\w+$/.test(path));
    const [forgotten = '', lost = ''] = users.slice(-2);
    for (const [path, thing] of keystone.things) inDatabase.set(path, thing);
    keystone.things.delete(forgotten);
    inDatabase.delete(lost);
    const report = await running.stop();
    expect({ lost: report.lost.length, stale: report.stale.length }).toEqual({ lost: 1, stale: 1 });
  });

  test('a Keystone that is silent gets as many requests as one that answers, and the gap is told', async () => {
    const running = await start({ ratePerSecond: 100, limitMs: 200 });
    await vi.waitUntil(() => running.counts().requests >= 100, { timeout: 60_000 });
    const before = keystone.requests;
    keystone.wrong = () => true;
    await new Promise(resolve => setTimeout(resolve, 1500));
    expect(keystone.requests - before).toBeGreaterThan(50);
    keystone.wrong = () => false;
    const report = await running.stop();
    expect(report.longestGapMs).toBeGreaterThan(1000);
    // On a machine that is busy others may be late.
    expect(report.failures.filter(({ fault }) => fault !== 'no answer' && fault !== 'slow')).toEqual([]);
    expect(report.failed).toBeGreaterThan(50);
  });
});
