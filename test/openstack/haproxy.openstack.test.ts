/** Real Keystone behind the HAProxy of a package: clients that keep their connections notice nothing of a patch, and HAProxy may be killed in the middle of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRoutedKeystone, type RoutedKeystone } from './haproxy-world.ts';
import { keystoneVersions, patience, servedVersion, storyMs } from './keystone-world.ts';
import type { KeystoneReport } from './load/keystone-load.ts';
import { expectAllWrites, type UnderLoad, underLoad } from './unnoticed.ts';

const { first, patched, next } = keystoneVersions;
/** Of clients before and after HAProxy is killed with no change under way. */
const quietMs = 5000;

let cloud: RoutedKeystone;
beforeAll(async () => {
  cloud = await openRoutedKeystone();
}, storyMs);
afterAll(() => cloud?.close(), storyMs);

/** Goes to a version, with clients; `meddle` while traffic moves. */
async function goTo(version: string, meddle: () => Promise<number> = async () => 0) {
  const { world, apply } = cloud;
  const gone = await underLoad(world, async () => {
    await apply(version);
    await world.until('traffic moves', trafficMoves, patience);
    const tookMs = await meddle();
    await world.untilFlowEnds('keystone', 'operational', patience);
    return tookMs;
  });
  expect(await servedVersion(world)).toBe(version);
  expectAllWrites(gone.report);
  return gone;
}

/** What clients did not get. How long they waited says nothing of us where others leave the machine no time. */
const failed = ({ failures }: KeystoneReport) => failures.filter(({ fault }) => fault !== 'slow');
const count = (report: KeystoneReport) => failed(report).reduce((sum, one) => sum + one.count, 0);

async function trafficMoves(): Promise<boolean> {
  const flow = await cloud.world.flowOf('keystone');
  const moves = flow?.status?.end === undefined ? (flow?.status?.moves ?? []) : [];
  return moves.some(({ id, state }) => id.startsWith('main/give-traffic') && state !== 'done');
}

test(
  'a patch comes and goes, and clients that keep their connections notice nothing',
  async () => {
    for (const version of [patched, first]) {
      const { report } = await goTo(version);
      expect(failed(report)).toEqual([]);
      expect(report.kept.requests / report.kept.connections).toBeGreaterThan(5);
    }
  },
  storyMs,
);

/** Whether HAProxy, killed while traffic moves to a version, costs no more than killed at any time. */
async function killInTheMiddle(version: string): Promise<void> {
  const { world, replaceHaproxy, killHaproxy } = cloud;
  // One that is killed again soon is started later: each time it is a new one.
  await replaceHaproxy();
  const quiet = await underLoad(world, async () => {
    await pause(quietMs);
    const tookMs = await killHaproxy();
    await pause(quietMs);
    return tookMs;
  });
  expectAllWrites(quiet.report);
  await replaceHaproxy();
  const changing = await goTo(version, killHaproxy);
  const seen = [quiet, changing].map(({ value, report }) => ({ awayMs: value, failed: count(report) }));
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  expect(changing.value).toBeLessThan(quiet.value + 1000);
  expect(count(changing.report)).toBeLessThanOrEqual(count(quiet.report) + byChance(changing));
}

/** What fails is what was sent while HAProxy was away, or had no answer yet when it was killed. How many those are is chance: so many at most. */
function byChance({ value: awayMs, ratePerSecond, report }: UnderLoad<number>): number {
  return Math.ceil((ratePerSecond * (awayMs + report.p99Ms)) / 1000);
}

test(
  'HAProxy killed in the middle of a patch costs no more than killed at any time, and the patch ends well',
  async () => {
    await killInTheMiddle(patched);
    await goTo(first);
  },
  storyMs,
);

if (process.env['AFLOAT_LONG'])
  test(
    'HAProxy killed in the middle of the next release costs no more either',
    async () => {
      await killInTheMiddle(next);
      await goTo(first);
    },
    storyMs,
  );
