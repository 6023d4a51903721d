/**
 * Real Keystone from one release to another and back, under clients that write, by us and in three ways without us: what clients lose and
 * how long it takes.
 *
 * How it is read:
 *
 * - The same release change (22.0.2 to 27.0.0), two servers of the same size, real MariaDB, the same open loop of clients at the same rate,
 *   which writes, reads all of it back at the end, and counts each wrong or late answer as failed. Ours routes by the embedded forwarder, the
 *   others by HAProxy with health checks. Ours goes back as well, the others do not.
 * - Ours is bluegreen as the package says it, with all that comes with it: pre-flight checks, backup and proof, expand on a copy, a test
 *   of each kind of call. Time is from the write of the record to the version alone with all traffic.
 * - The floor of that time is what no change without an outage can do without: starting the new version, and draining the old one. Both
 *   are read from the same flows.
 */
import { findRoots } from '../scripts/openstack/roots/find-roots.ts';
import type { PhaseObject } from '../src/controller/our-objects.ts';
import type { JourneyWorld } from '../test/journeys/engine/journey-world.ts';
import { keystoneUrl } from '../test/openstack/keystone-person.ts';
import {
  adminPassword,
  applyKeystone,
  keystoneSql,
  keystoneVersions,
  openInstalledKeystone,
  patience,
} from '../test/openstack/keystone-world.ts';
import { measureCapacity } from '../test/openstack/load/keystone-capacity.ts';
import { type KeystoneLoadWish, startKeystoneLoad } from '../test/openstack/load/keystone-load.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';
import { startPlainKeystones } from './upgrade/plain-keystones.ts';
import { type PlainWay, plainWays } from './upgrade/plain-ways.ts';

const { first, next } = keystoneVersions;
const oldRoot = `keystone-${first}`;
const newRoot = `keystone-${next}`;

/** What clients use of what Keystone can do: while versions change places, half of the machine is busy with other things. */
const share = 1 / 10;
const limitMs = 5000;
const quietSeconds = 20;

interface Changed {
  readonly requests: number;
  readonly failed: number;
  readonly longestGapMs: number;
  readonly p99Ms: number;
  readonly seconds: number;
}

type Clients = Pick<KeystoneLoadWish, 'url' | 'admin' | 'ratePerSecond' | 'readSql'>;

async function* run(size: BenchSize): AsyncIterable<Measure> {
  const wanted = size === 'full' ? { requests: 300_000, upgrades: 20 } : { requests: 3000, upgrades: 1 };
  const world = await openInstalledKeystone();
  try {
    const url = await keystoneUrl(world);
    const admin = { user: 'admin', password: await adminPassword(world), project: 'admin' };
    const ratePerSecond = Math.min(20, Math.max(1, (await measureCapacity(url, admin)) * share));
    const clients = {
      url: url.href,
      admin,
      ratePerSecond,
      readSql: (sql: string) => keystoneSql(world, sql),
    };
    const quiet = await underClients(clients, () => seconds(quietSeconds));
    tell('nothing changes', quiet);
    const ours: (Changed & { floor: number })[] = [];
    while (ours.length < wanted.upgrades * 2 || sum(ours, 'requests') < wanted.requests)
      for (const version of [next, first]) {
        const changed = await change(world, version, clients);
        tell(`by us, to ${version}`, changed);
        ours.push(changed);
      }
    yield* oursAlone(ours, quiet);
    for (const [name, way] of Object.entries(plainWays)) {
      const plain = await plainly(way, ratePerSecond);
      tell(name, plain);
      yield* besides(name, ours, plain);
    }
  } finally {
    await world.close();
  }
}

/** One change by us, with clients all the while. */
async function change(
  world: JourneyWorld,
  version: string,
  clients: Clients,
): Promise<Changed & { floor: number }> {
  let floor = 0;
  const changed = await underClients(clients, async () => {
    // With as many calls of its test as the package makes where nobody says otherwise.
    await applyKeystone(world, version, { allowUnsupportedJump: true, values: { testCalls: 200 } });
    const flow = await world.untilFlowEnds('keystone', 'operational', patience);
    const phases = await world.phases(flow.metadata.name);
    floor = phases.filter(startsOrDrains).reduce((all, one) => all + tookSeconds(one), 0);
  });
  return { ...changed, floor };
}

function startsOrDrains({ spec }: PhaseObject): boolean {
  return /\/(?:apply:new|take-traffic:old|remove:old)$/.test(spec.move?.id ?? '');
}

function tookSeconds({ status }: PhaseObject): number {
  return (Date.parse(status?.finishedAt ?? '') - Date.parse(status?.startedAt ?? '')) / 1000;
}

async function plainly(way: PlainWay, ratePerSecond: number): Promise<Changed> {
  const roots = await findRoots([oldRoot, newRoot]);
  const keystones = await startPlainKeystones(roots.get(oldRoot) ?? '');
  try {
    const { url, admin, readSql } = keystones;
    return await underClients({ url, admin, readSql, ratePerSecond }, () =>
      way(keystones, roots.get(newRoot) ?? ''),
    );
  } finally {
    await keystones.remove();
  }
}

/** Does something with clients before, during and after it; time is that of the work alone. */
async function underClients(clients: Clients, work: () => Promise<void>): Promise<Changed> {
  const load = await startKeystoneLoad({ ...clients, mostInFlight: 32 });
  await seconds(2);
  const start = performance.now();
  await work();
  const took = (performance.now() - start) / 1000;
  await seconds(2);
  const { requests, failed, longestGapMs, p99Ms, lost, stale, unread } = await load.stop();
  const wrong = lost.length + stale.length + unread.length;
  return { requests, failed: failed + wrong, longestGapMs, p99Ms, seconds: took };
}

const seconds = (count: number) => new Promise<void>(resolve => setTimeout(resolve, count * 1000));

function* oursAlone(ours: readonly (Changed & { floor: number })[], quiet: Changed): Iterable<Measure> {
  yield measured({
    ...{ measure: 'requests that failed, by us', value: sum(ours, 'failed'), unit: 'requests' },
    ...{ against: 'all requests', floor: sum(ours, 'requests'), goal: 0 },
  });
  for (const [measure, value] of [
    ['p99 while we change versions', Math.max(...ours.map(({ p99Ms }) => p99Ms))],
    ['p99 while nothing changes', quiet.p99Ms],
  ] as const)
    yield measured({
      measure,
      value,
      unit: 'ms',
      against: 'the limit of an answer',
      floor: limitMs,
      goal: 1,
    });
  yield measured({
    ...{ measure: 'time of a change', value: sum(ours, 'seconds'), unit: 's' },
    ...{ against: 'starts and drains', floor: sum(ours, 'floor'), goal: 1.5 },
  });
}

/** Ours beside one way without us. A way that loses nothing has won that line only if we lost something. */
function* besides(way: string, ours: readonly Changed[], plain: Changed): Iterable<Measure> {
  yield measured({
    ...{ measure: `requests that failed, ${way}`, value: plain.failed, unit: 'requests' },
    ...{ against: 'all requests', floor: plain.requests, goal: 1 },
  });
  yield measured({
    ...{ measure: 'longest time without a good answer', unit: 'ms', against: way, goal: 1 },
    value: Math.max(...ours.map(({ longestGapMs }) => longestGapMs)),
    floor: plain.longestGapMs,
  });
}

function sum<Key extends string>(all: readonly Readonly<Record<Key, number>>[], of: Key): number {
  return all.reduce((total, one) => total + one[of], 0);
}

function tell(what: string, { requests, failed, longestGapMs, p99Ms, seconds: took }: Changed): void {
  const numbers = `${requests} requests, ${failed} failed, longest gap ${longestGapMs} ms, p99 ${p99Ms} ms, ${took.toFixed(1)} s`;
  process.stderr.write(`  ${what}: ${numbers}\n`);
}

/** Release changes of real Keystone under load. */
export const bench: Bench = { name: 'upgrade', run };
