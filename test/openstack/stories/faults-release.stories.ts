import { expect, test } from 'vitest';
import type { Variant } from '../../../scripts/openstack/packages/compose-package.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { crashesOnStart, failsAt, failsItsTest, failsOneInTen } from '../faulty-releases.ts';
import { keystoneRows } from '../keystone-rows.ts';
import { movesOf, patience, storyMs } from '../keystone-world.ts';
import { expectAllWrites, underLoad, unnoticed } from '../unnoticed.ts';
import { expectFirst, wishForVariant } from '../upgrade-with-fault.ts';

interface BadRelease {
  readonly says: string;
  readonly name: string;
  readonly variant: Variant;
  /** The last move of it, and the words for it. */
  readonly fails: string;
  readonly because: RegExp;
}

const badReleases: readonly BadRelease[] = [
  {
    ...{ says: 'whose test fails', name: 'failing', variant: failsItsTest },
    ...{ fails: 'test:new', because: /it was not to be/ },
  },
  {
    ...{ says: 'that crashes on start', name: 'crashing', variant: crashesOnStart },
    ...{ fails: 'apply:new', because: /SystemError: it was not to be, again and again/ },
  },
  {
    ...{ says: 'that answers 500 to one call in ten', name: 'one-in-ten', variant: failsOneInTen },
    ...{ fails: 'test:new', because: /500 instead of 20\d/ },
  },
];

/** So many requests say something of a version, and so long it may take until that is seen, and acted on. */
const [fewestRequests, noticeSeconds] = [20, 15];

/** Releases that are no good. Each story begins and ends with the first version. */
export function badReleaseStories(at: () => JourneyWorld): void {
  test.each(badReleases)(
    'a release $says is taken back before a client meets it',
    async ({ name, variant, fails, because }) => {
      const world = at();
      const before = await keystoneRows(world);
      const flow = await unnoticed(world, async () => {
        await wishForVariant(world, name, variant);
        return world.untilFlowEnds('keystone', 'rolledback', patience);
      });
      expect(flow.status?.because).toMatch(because);
      const moves = await movesOf(world, flow);
      const tried = moves.filter(id => !id.startsWith('discard/'));
      expect(tried.at(-1)).toBe(fails);
      expect(moves.slice(tried.length)).toEqual(['discard/remove:new', 'discard/test:old']);
      await expectFirst(world, before);
    },
    storyMs,
  );

  test(
    'a release that answers 500 to calls which its test does not make gives its clients back as soon as that is seen',
    async () => {
      const world = at();
      const before = await keystoneRows(world);
      const {
        value: flow,
        report,
        ratePerSecond,
      } = await underLoad(world, async () => {
        await wishForVariant(world, 'untested', failsAt('/v3/projects'), { soakSeconds: 600 });
        return world.untilFlowEnds('keystone', 'rolledback', patience);
      });
      // Nothing fails but what this release cannot do, and all of that is an error, never a wrong answer.
      const others = report.failures.filter(
        ({ kind, fault }) => !/^(project|role) /.test(kind) || fault !== 'other status',
      );
      expect(others).toEqual([]);
      for (const one of report.failures.flatMap(({ first }) => first)) expect(one).toContain('500');
      expect(report.failed).toBeGreaterThan(0);
      expect(report.failed).toBeLessThanOrEqual(fewestRequests + noticeSeconds * ratePerSecond);
      expectAllWrites(report);
      // What the manager counted is what clients saw; those that came while traffic went back are counted no more.
      const [, counted] =
        /fails more than it may \(5 points\): (\d+) of \d+ failed/.exec(flow.status?.because ?? '') ?? [];
      expect(Number(counted)).toBeGreaterThan(0);
      expect(Number(counted)).toBeLessThanOrEqual(report.failed);
      expect(await movesOf(world, flow)).toContain('return/give-traffic:old');
      await expectFirst(world, before);
    },
    storyMs,
  );
}
