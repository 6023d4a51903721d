import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acts } from './keystone-acts.ts';
import { measureCapacity } from './keystone-capacity.ts';
import { startKeystoneLoad } from './keystone-load.ts';
import { ask, type KeystoneRequest, loginRequest, tokenIn } from './keystone-request.ts';
import { type ServingKeystone, startServingKeystone } from './serving-keystone.ts';

let keystone: ServingKeystone;
beforeAll(async () => {
  keystone = await startServingKeystone('keystone-22.0.2-deb12u6');
}, 600_000);
afterAll(() => keystone?.remove());

/** Makes what a fresh process does once, at its first request that needs rules, take so long that others come meanwhile. */
const slowRules = `import time
from keystone.common.rbac_enforcer import enforcer
quick = enforcer.RBACEnforcer.register_rules
def slowly(rules):
    time.sleep(3)
    quick(rules)
enforcer.RBACEnforcer.register_rules = staticmethod(slowly)
`;
const cold = `from keystone.server.wsgi import initialize_public_application
application = initialize_public_application()
`;

/** What a fresh Keystone with this program answers to the first sixteen requests that need rules, all at once. */
async function firstAnswers(program: string): Promise<readonly number[]> {
  await keystone.restart(`${slowRules}${program}`);
  const url = new URL(keystone.url);
  const given = await ask(url, loginRequest(keystone.admin), { limitMs: 30_000 });
  if ('failure' in given) throw new TypeError(given.failure);
  const headers = { 'x-auth-token': tokenIn(given) ?? '' };
  const users: KeystoneRequest = { method: 'GET', path: '/v3/users?name=admin', headers, status: 200 };
  const answers = await Promise.all(Array.from({ length: 16 }, () => ask(url, users, { limitMs: 30_000 })));
  return answers.map(answer => ('failure' in answer ? 0 : answer.status));
}

test('a fresh Keystone refuses some of its first requests, and none where it was warmed up as the package does it', async () => {
  expect(new Set(await firstAnswers(cold))).toContain(403);
  const warm = await readFile(
    join(import.meta.dirname, '../../../packages/keystone/program/wsgi.py'),
    'utf8',
  );
  expect(new Set(await firstAnswers(warm))).toEqual(new Set([200]));
}, 600_000);

test('a Keystone that nobody touches gives every client the right answer, and keeps every write', async () => {
  const { url, admin, mariadb } = keystone;
  const readSql = (query: string) => mariadb.sql(query, 'keystone');
  const cpu = process.cpuUsage();
  const capacity = await measureCapacity(new URL(url), admin);
  const ratePerSecond = Math.min(4, Math.max(1, capacity / 10));
  const bounds = { mostSeconds: 120 / ratePerSecond, mostRequests: 120, mostInFlight: 32 };
  const load = await startKeystoneLoad({ url, admin, ratePerSecond, ...bounds, readSql });
  await load.over;
  const { user, system } = process.cpuUsage(cpu);
  const report = await load.stop();
  const cpuMs = Math.round((user + system) / 1000);
  const { requests, failed, slow, checked, longestGapMs, p50Ms, p99Ms, mostBehindMs, skipped } = report;
  const numbers = {
    requests,
    failed,
    slow,
    checked,
    longestGapMs,
    p50Ms,
    p99Ms,
    mostBehindMs,
    skipped,
    cpuMs,
  };
  process.stdout.write(`${JSON.stringify(numbers)}\n`);
  expect(Object.keys(report.byKind).sort()).toEqual(Object.keys(acts).sort());
  // A machine that is busy with other things may be late; nothing else may be wrong.
  expect(report.failures.filter(({ fault }) => fault !== 'slow')).toEqual([]);
  expect(report).toMatchObject({ lost: [], stale: [], unread: [] });
}, 600_000);
