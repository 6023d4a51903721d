import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { downloaded, imageOf, startSlowUpload } from './glance-person.ts';
import { applyCloud, glanceVersions, openInstalledGlance, pictureOfGlance } from './glance-world.ts';
import { keystoneVersions, patience, servedVersion, storyMs } from './keystone-world.ts';

// One cloud for all stories, because an install takes its time. The first one leaves the next Keystone in it.
let world: JourneyWorld;
beforeAll(async () => {
  world = await openInstalledGlance();
}, storyMs);
afterAll(() => world?.close(), storyMs);

const megabytes = 1024 * 1024;
const keystone = keystoneVersions.next;

test(
  'an upload that lasts as long as the next release of Keystone takes to come arrives bit by bit, and nothing of Glance was touched',
  async () => {
    const upload = await startSlowUpload(world, 24 * megabytes);
    try {
      await untilSaving(upload.image);
      const before = await pictureOfGlance(world);
      const sentBefore = upload.sent();
      await applyCloud(world, { keystone });
      await world.untilFlowEnds('keystone', 'operational', patience);
      expect(await servedVersion(world)).toBe(keystone);
      expect(upload.isGoingOn()).toBe(true);
      expect(upload.sent()).toBeGreaterThan(sentBefore);
      expect(upload.sent()).toBeLessThan(upload.bytes);
      expect(before.processes.length).toBeGreaterThan(2);
      expect(before.objects.length).toBeGreaterThan(10);
      expect(before.rows['images']?.length).toBeGreaterThan(0);
      // The upload goes on still: not even its own rows have changed.
      expect(await pictureOfGlance(world)).toEqual(before);
      await expectArrival(upload);
    } finally {
      upload.giveUp();
    }
  },
  storyMs,
);

test.each([
  [glanceVersions.patched, 'a patch of Glance itself', false],
  [glanceVersions.next, 'the next release of Glance itself', true],
])(
  'an upload to the old version goes on while %s, %s, serves already, and the old one stays until it has arrived',
  async (version, _, chunked) => {
    const upload = await startSlowUpload(world, 8 * megabytes, { chunked });
    try {
      await untilSaving(upload.image);
      await applyCloud(world, { keystone, glance: version });
      // The new version has all of the traffic; what is left to the old one is the upload.
      await world.until(
        'the drain of the old version',
        async () => {
          const flow = await world.flowOf('glance');
          const drain = flow?.status?.moves?.find(({ id }) => id.includes('take-traffic:old'));
          return drain !== undefined && flow?.status?.end === undefined;
        },
        patience,
      );
      const small = await startSlowUpload(world, megabytes);
      await expectArrival(small);
      expect(upload.isGoingOn()).toBe(true);
      await expectArrival(upload);
      await world.untilFlowEnds('glance', 'operational', patience);
      expect((await world.revisions('glance'))[0]?.spec.version).toBe(version);
      // By the new version, and after the old one has gone.
      expect(await downloaded(world, upload.image)).toEqual({ bytes: upload.bytes, sha256: upload.sha256 });
    } finally {
      upload.giveUp();
    }
  },
  storyMs,
);

/** Waits until Glance writes what comes. */
async function untilSaving(image: string): Promise<void> {
  await world.until('the upload to begin', async () => (await imageOf(world, image)).status === 'saving', 60);
}

/** Finishes an upload; what clients download is what was sent. */
async function expectArrival(upload: Awaited<ReturnType<typeof startSlowUpload>>): Promise<void> {
  expect(await upload.finish()).toBe(204);
  expect(await imageOf(world, upload.image)).toMatchObject({ status: 'active', size: upload.bytes });
  expect(await downloaded(world, upload.image)).toEqual({ bytes: upload.bytes, sha256: upload.sha256 });
}
