import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedPlace } from './journey-place.ts';
import { type JourneyWorld, openJourneyWorld, storyMs } from './journey-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld(folder => ({ ...embeddedPlace(folder), traffic: { router: 'haproxy' } }));
}, storyMs);
afterAll(() => world?.close(), storyMs);

test(
  'a package that names a router nobody told of is refused before anything begins, with what to do',
  async () => {
    world.aPackage('web', '1.0.0', { head: '1' });
    await world.apply({ services: [{ name: 'web', version: '1.0.0' }] });
    const { status } = await world.untilCondition('Ready', 'False', 'RouterUnknown');
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    expect(ready?.message).toMatch(/web 1\.0\.0 says traffic\.router: haproxy.*--routers/);
    expect([await world.flows(), await world.pods('web')]).toEqual([[], []]);
  },
  storyMs,
);
