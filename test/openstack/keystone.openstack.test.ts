import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import {
  adminPassword,
  applyKeystone,
  keystoneSql,
  keystoneVersions,
  openKeystoneWorld,
} from './keystone-world.ts';
import { startKeystoneLoad } from './load/keystone-load.ts';

const { first, patched, next } = keystoneVersions;
/** Longer than a story takes on a busy machine of two cores. */
const storyMs = 1_200_000;
const patience = 600;

let world: JourneyWorld;
beforeAll(async () => {
  world = await openKeystoneWorld();
}, storyMs);
afterAll(() => world.close(), storyMs);

/** The flow of Keystone that a change makes, with clients all the while; none of them may notice. */
async function unnoticed(change: () => Promise<unknown>) {
  const { address, port } = await world.address('keystone');
  const admin = { user: 'admin', password: await adminPassword(world), project: 'admin' };
  const load = await startKeystoneLoad({ url: `http://${address}:${port}`, admin, ratePerSecond: 2 });
  try {
    await change();
    return await world.untilFlowEnds('keystone', 'operational', patience);
  } finally {
    const report = await load.stop();
    const { requests, slow, longestGapMs, p50Ms, p99Ms, checked } = report;
    const faults = report.failures.map(({ kind, fault, count }) => `${count} times ${fault} (${kind})`);
    const seen = { requests, checked, longestGapMs, p50Ms, p99Ms, load: loadavg()[0], faults };
    process.stdout.write(`${JSON.stringify(seen)}\n`);
    expect(report.failures.filter(({ fault }) => fault !== 'slow')).toEqual([]);
    expect([report.lost, report.stale, report.unread, report.wrongRefusals]).toEqual([[], [], [], 0]);
    // How long answers take says nothing of us where others leave the machine no time.
    if ((loadavg()[0] ?? 0) < 4 * availableParallelism()) expect(slow).toBe(0);
  }
}

const movesOf = async (flow: { readonly metadata: { readonly name: string } }) => {
  const newest = (await world.flows('keystone')).find(({ metadata }) => metadata.name === flow.metadata.name);
  return (newest?.status?.moves ?? []).map(({ id }) => id);
};

/** The version of the revision that is in force. */
const serves = async () => (await world.revisions('keystone'))[0]?.spec.version;

test(
  'a cloud of MariaDB, memcached and Keystone is installed',
  async () => {
    await applyKeystone(world, first);
    for (const name of ['mariadb', 'memcached', 'keystone'])
      await world.untilFlowEnds(name, 'operational', patience);
    expect(await serves()).toBe(first);
  },
  storyMs,
);

test(
  'a security patch comes and goes without a step on data, and no client notices',
  async () => {
    const up = await unnoticed(() => applyKeystone(world, patched));
    expect(await serves()).toBe(patched);
    expect((await movesOf(up)).filter(id => /back-up|expand|migrate|contract/.test(id))).toEqual([]);
    const back = await unnoticed(() => applyKeystone(world, first));
    expect(await serves()).toBe(first);
    expect((await movesOf(back)).filter(id => /back-up|expand|migrate|contract|restore/.test(id))).toEqual(
      [],
    );
  },
  storyMs,
);

test(
  'a jump that nobody supports is refused until somebody says that it shall be made',
  async () => {
    await applyKeystone(world, next);
    const record = await world.untilCondition('Stalled', 'True', 'UnsupportedJump');
    expect(JSON.stringify(record.status?.conditions)).toContain('zed');
    expect(await serves()).toBe(first);
  },
  storyMs,
);

test(
  'rows that would break the new schema are named before anything is touched',
  async () => {
    const row = (id: string) =>
      `INSERT INTO trust (id, trustor_user_id, trustee_user_id, project_id, impersonation, expires_at, expires_at_int) VALUES ('${id}', 'a', 'b', 'c', 1, '2030-01-01', ${id.length});`;
    await keystoneSql(world, `${row('one')}${row('three')}`);
    const schema = () => keystoneSql(world, 'SELECT version_num FROM alembic_version ORDER BY 1');
    const before = await schema();
    await applyKeystone(world, next, { allowUnsupportedJump: true });
    const flow = await world.untilFlowEnds('keystone', 'refused', patience);
    expect(flow.status?.because).toContain('trusts one three');
    expect(await schema()).toBe(before);
    await keystoneSql(world, "DELETE FROM trust WHERE id IN ('one', 'three')");
    await applyKeystone(world, first);
    await world.untilReady(patience);
  },
  storyMs,
);

test(
  'the next release comes beside the old one, on a schema that both know, and goes again before the contract',
  async () => {
    // What was refused is held until the record says something else.
    const wish = { allowUnsupportedJump: true, values: { testCalls: 51 } };
    const up = await unnoticed(() => applyKeystone(world, next, wish));
    expect(await serves()).toBe(next);
    const moves = (await movesOf(up)).map(id => id.replace(/^main\/|:.*/g, ''));
    expect(moves.indexOf('verify-backup')).toBeLessThan(moves.indexOf('expand'));
    expect(moves.indexOf('expand')).toBeLessThan(moves.indexOf('apply'));
    expect(moves).not.toContain('contract');
    await unnoticed(() => applyKeystone(world, first));
    expect(await serves()).toBe(first);
  },
  storyMs,
);
