import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlowObject } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { ask } from './ask.ts';
import { aService } from './service-package.ts';
import { statusText } from './status-text.ts';

/** Two minutes where there is time for it. */
const seconds = process.env['AFLOAT_LONG'] === undefined ? 20 : 120;
const drainSeconds = 3;

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    aService(world, 'shop', version, { traffic: { drainSeconds, cutsAtDeadline: false } });
  await apply('1.0.0');
  await world.untilFlowEnds('shop', 'operational');
}, 90_000);
afterAll(() => world.close(), 60_000);

const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }] });

/** The flow, when it says that requests are overdue. */
async function overdue(): Promise<FlowObject> {
  return world.until(
    'a drain that is overdue',
    async () => {
      const flow = await world.flowOf('shop');
      const phases = flow ? await world.phases(flow.metadata.name) : [];
      const isSaid = phases.some(({ status }) =>
        status?.conditions?.some(one => one.reason === 'DrainOverdue'),
      );
      return isSaid ? flow : undefined;
    },
    60,
  );
}

test(
  'a request that takes longer than the drain spans an upgrade and completes; status says how many are left',
  async () => {
    const reply = ask(world, 'shop', `/slow?seconds=${seconds}`);
    await apply('1.1.0');
    const flow = await overdue();
    // The phase says it first; what a person is shown follows.
    const text = await world.until('the word on it in the status', async () => {
      const said = await statusText(world, 'shop');
      return /in flight to slice blue after/.test(said) ? said : undefined;
    });
    expect(text).toMatch(
      /1 request is in flight to slice blue after .*: it stays until they end, unless you accept that 1 is cut/,
    );
    await expect(text).toMatchFileSnapshot('testdata/drain-overdue.golden');
    expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
    expect(flow.status?.end).toBeUndefined();
    expect(await reply).toEqual({ status: 200, body: '{"begins":"1.0.0"}' });
    await world.untilFlowEnds('shop', 'operational');
  },
  (seconds + 90) * 1000,
);

test('a person who accepts the number lets the request be cut', async () => {
  const begun = performance.now();
  const reply = ask(world, 'shop', '/slow?seconds=100');
  await apply('1.2.0');
  const flow = await overdue();
  await world.patchSpec(flow, { cutsAtMost: 1 });
  await world.untilFlowEnds('shop', 'operational');
  expect(await reply).toMatchObject({ status: expect.toSatisfy(status => status === 0 || status === 200) });
  expect((await reply).body).not.toContain('}');
  expect(performance.now() - begun).toBeLessThan(90_000);
}, 120_000);
