import { expect, test } from 'vitest';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import {
  applyKeystone,
  keystoneVersions,
  movesOf,
  patience,
  servedVersion,
  storyMs,
} from '../keystone-world.ts';
import { unnoticed } from '../unnoticed.ts';

const { first, patched } = keystoneVersions;
const dataMove = /back-up|expand|migrate|contract|restore/;

/** The security patch: two versions with one schema. Begins and ends with the first one. */
export function patchStories(at: () => JourneyWorld): void {
  test(
    'a security patch comes and goes without a step on data, and no client notices',
    async () => {
      const world = at();
      for (const version of [patched, first]) {
        const flow = await unnoticed(world, async () => {
          await applyKeystone(world, version);
          return world.untilFlowEnds('keystone', 'operational', patience);
        });
        expect(await servedVersion(world)).toBe(version);
        expect((await movesOf(world, flow)).filter(id => dataMove.test(id))).toEqual([]);
      }
    },
    storyMs,
  );
}
