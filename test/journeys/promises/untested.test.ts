import { afterAll, beforeAll, expect, test } from 'vitest';
import { printPlan } from '../../../src/plan/print-plan.ts';
import { type JourneyWorld, openJourneyWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
  aService(world, 'shop', '1.0.0');
  aService(world, 'shop', '1.1.0', { test: 'none' });
  await world.apply({ services: [{ name: 'shop', version: '1.0.0' }] });
  await world.untilFlowEnds('shop', 'operational');
}, storyMs);
afterAll(() => world.close(), storyMs);

test(
  'a package without a test: the plan says before that clients are the first who ask it, and that they may notice',
  async () => {
    await world.apply({ services: [{ name: 'shop', version: '1.1.0' }], approval: 'manual' });
    const [name] = await world.approve();
    const { plan, digest } =
      (await world.plans()).find(({ metadata }) => metadata.name === name)?.spec ?? expect.unreachable();
    expect(plan.steps).toMatchObject([{ service: 'shop', untested: true, impact: { api: 'degraded' } }]);
    expect(plan.impact.api).toBe('degraded');
    expect(printPlan(plan, digest)).toContain('clients are the first who ask it');
    await world.untilFlowEnds('shop', 'operational');
    expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
  },
  storyMs,
);

test(
  'the version after it brings a test, and its plan says nothing of that kind',
  async () => {
    aService(world, 'shop', '1.2.0');
    await world.apply({ services: [{ name: 'shop', version: '1.2.0' }] });
    const { spec } = await world.untilFlowEnds('shop', 'operational');
    expect(spec.planned?.step.untested).toBeUndefined();
    expect(spec.planned?.step.impact.api).toBe('none');
  },
  storyMs,
);
