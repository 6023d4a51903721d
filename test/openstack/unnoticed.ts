import { availableParallelism, loadavg } from 'node:os';
import { expect } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { keystoneUrl } from './keystone-person.ts';
import { adminPassword, keystoneSql } from './keystone-world.ts';
import { measureCapacity } from './load/keystone-capacity.ts';
import { startKeystoneLoad } from './load/keystone-load.ts';

/** Clients use so much of what Keystone can do: while versions change places, half of it is busy with other things. */
const share = 1 / 10;
const [leastPerSecond, mostPerSecond] = [1, 20];
/** Twice as many as one version has threads. A machine that others take meanwhile is not asked for more than it can do. */
const mostInFlight = 32;

/** Carries out a change with clients all the while. None of them may notice, and all that they wrote is read back. */
export async function unnoticed<T>(world: JourneyWorld, change: () => Promise<T>): Promise<T> {
  const url = await keystoneUrl(world);
  const admin = { user: 'admin', password: await adminPassword(world), project: 'admin' };
  // As much as this machine carries: what is slow because of its neighbours is no failure of ours.
  const capacity = await measureCapacity(url, admin);
  const ratePerSecond = Math.min(mostPerSecond, Math.max(leastPerSecond, capacity * share));
  const load = await startKeystoneLoad({
    ...{ url: url.href, admin, ratePerSecond, mostInFlight },
    readSql: query => keystoneSql(world, query),
  });
  const done = await change().then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  const report = await load.stop();
  const { requests, slow, skipped, longestGapMs, p50Ms, p99Ms, checked } = report;
  const faults = report.failures.map(({ kind, fault, count }) => `${count} times ${fault} (${kind})`);
  const rate = Math.round(ratePerSecond * 10) / 10;
  const seen = { rate, requests, skipped, checked, longestGapMs, p50Ms, p99Ms, load: loadavg()[0], faults };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  if ('error' in done) throw done.error;
  expect(report.failures.filter(({ fault }) => fault !== 'slow')).toEqual([]);
  expect([report.lost, report.stale, report.unread, report.wrongRefusals]).toEqual([[], [], [], 0]);
  // How long answers take says nothing of us where others leave the machine no time.
  if ((loadavg()[0] ?? 0) < 4 * availableParallelism()) expect(slow).toBe(0);
  return done.value;
}
