import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, type OpenWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** That a test reaches the slice it is about, told in the world that is given; what needs a router that counts requests, only where there is one. */
export function rightOneStories(open: OpenWorld, { counts = true } = {}): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
    aService(world, 'shop', '1.0.0');
    await apply('1.0.0');
    await world.untilFlowEnds('shop', 'operational');
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }] });

  /** Which slices of which versions the requests of tests came to. */
  function tested(): string[] {
    const lines = readFileSync(join(world.data.folder, 'requests.jsonl'), 'utf8').trim().split('\n');
    return lines
      .map(line => JSON.parse(line) as { version: string; slice: string; path: string })
      .filter(({ path }) => path === '/version')
      .map(({ version, slice }) => `${version} ${slice}`);
  }

  test(
    'a new slice that is broken fails its test although the one that serves is well',
    async () => {
      aService(world, 'shop', '1.1.0');
      world.data.setFaults('shop', '1.1.0', 'broken');
      await apply('1.1.0');
      const flow = await world.untilFlowEnds('shop', 'rolledback');
      expect(flow.status?.because).toMatch(/^main\/test:new: Job shop-test failed: .*answered 500/s);
      expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
    },
    storyMs,
  );

  test(
    'a new slice that is well passes its test although the one that serves is broken',
    async () => {
      const before = tested();
      aService(world, 'shop', '1.2.0', { traffic: { maxErrorPercent: 100 } });
      world.data.setFaults('shop', '1.0.0', 'broken');
      await apply('1.2.0');
      const flow = await world.untilFlowEnds('shop', 'operational');
      const [slice] = flow.status?.newSlices ?? [];
      expect(tested().slice(before.length)).toEqual(Array(3).fill(`1.2.0 ${slice}`));
      expect(await world.serving('shop')).toMatchObject({ version: '1.2.0' });
    },
    storyMs,
  );

  test.runIf(counts)(
    'a test that asks nobody proves nothing, and is refused',
    async () => {
      aService(world, 'shop', '1.3.0', { test: 'true' });
      await apply('1.3.0');
      const flow = await world.untilFlowEnds('shop', 'rolledback');
      expect(flow.status?.because).toMatch(
        /none of its requests came to slice .* Let it call shop by its name/,
      );
      const phase = (await world.phases(flow.metadata.name)).find(
        ({ spec }) => spec.move?.id === 'main/test:new',
      );
      expect(phase?.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
        status: 'True',
        reason: 'TestMissedTheSlice',
      });
      expect(await world.serving('shop')).toMatchObject({ version: '1.2.0' });
    },
    storyMs,
  );
}
