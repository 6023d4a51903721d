import { availableParallelism, loadavg } from 'node:os';
import { expect } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { keystoneUrl } from './keystone-person.ts';
import { adminPassword, keystoneSql } from './keystone-world.ts';
import { measureCapacity } from './load/keystone-capacity.ts';
import { type KeystoneReport, startKeystoneLoad } from './load/keystone-load.ts';

/** Clients use so much of what Keystone can do: while versions change places, half of it is busy with other things. */
const share = 1 / 10;
const [leastPerSecond, mostPerSecond] = [1, 20];
/** Twice as many as one version has threads. A machine that others take meanwhile is not asked for more than it can do. */
const mostInFlight = 32;

/** What became of a change, and of its clients. */
export interface UnderLoad<T> {
  readonly value: T;
  readonly report: KeystoneReport;
  readonly ratePerSecond: number;
}

/** Carries out a change with clients all the while, and tells what they came to; all that they wrote is read back. */
export async function underLoad<T>(world: JourneyWorld, change: () => Promise<T>): Promise<UnderLoad<T>> {
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
  const { requests, skipped, longestGapMs, p50Ms, p99Ms, checked } = report;
  const faults = report.failures.map(({ kind, fault, count }) => `${count} times ${fault} (${kind})`);
  const rate = Math.round(ratePerSecond * 10) / 10;
  const seen = { rate, requests, skipped, checked, longestGapMs, p50Ms, p99Ms, load: loadavg()[0], faults };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  if ('error' in done) throw done.error;
  return { value: done.value, report, ratePerSecond };
}

/** Nothing that was acknowledged is lost, and what is read is what was written last. */
export function expectAllWrites({ lost, stale, unread }: KeystoneReport): void {
  expect([lost, stale, unread]).toEqual([[], [], []]);
}

/** Carries out a change with clients all the while. None of them may notice, and all that they wrote is read back. */
export async function unnoticed<T>(world: JourneyWorld, change: () => Promise<T>): Promise<T> {
  const { value, report } = await underLoad(world, change);
  expect(report.failures.filter(({ fault }) => fault !== 'slow')).toEqual([]);
  expectAllWrites(report);
  expect(report.wrongRefusals).toBe(0);
  // How long answers take says nothing of us where others leave the machine no time.
  if ((loadavg()[0] ?? 0) < 4 * availableParallelism()) expect(report.slow).toBe(0);
  return value;
}
