import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, storyMs } from '../journeys/engine/journey-world.ts';
import { openNodeWorld } from './node-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openNodeWorld();
}, storyMs);
afterAll(() => world.close(), storyMs);

const service = (version: string) => ({ services: [{ name: 'turned', version }] });

test(
  'a plain Service that cannot leave out the next slice: the slice is not made, and the version before serves on',
  async () => {
    world.aPackage('turned', '1.0.0', { strategy: 'bluegreen', replicas: 3, head: '1' });
    world.aPackage('turned', '1.1.0', { strategy: 'rolling', replicas: 3, slices: 3, head: '1' });
    await world.apply(service('1.0.0'));
    await world.untilFlowEnds('turned', 'operational');
    const load = await world.load('turned', { clients: 4, perSecond: 20 });
    await world.apply(service('1.1.0'));
    const flow = await world.untilFlowEnds('turned', 'rolledback', 120);
    await load.stop();
    expect(flow.status?.because).toContain('Clients would meet slice 2 before its test');
    const phases = await world.phases(flow.metadata.name);
    const refused = phases.find(({ spec }) => spec.move?.id === 'main/apply:new#2');
    expect(refused?.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
      reason: 'SliceWouldServe',
    });
    expect(await world.serving('turned')).toMatchObject({ version: '1.0.0' });
    expect(load.lastFailure).toBeUndefined();
  },
  storyMs,
);
