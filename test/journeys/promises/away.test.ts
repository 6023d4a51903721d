/** What runs out while no manager is there: the next one looks for itself before it says so. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, openJourneyWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** Long enough for a manager to see what became of things, on a busy machine too. */
const lastsSeconds = 30;

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
  const traffic = { weights: [], stepSeconds: 0 };
  aService(world, 'shop', '1.0.0');
  aService(world, 'shop', '1.1.0', { deadline: lastsSeconds });
  aService(world, 'shop', '1.2.0', { traffic });
  await apply('1.0.0');
  await world.untilFlowEnds('shop', 'operational');
}, storyMs);
afterAll(() => world.close(), storyMs);

const apply = (version: string, more = {}) => world.apply({ services: [{ name: 'shop', version }], ...more });

/** Nobody manages the cloud until this moment is past; something happens meanwhile. */
async function nobodyUntil(moment: number, meanwhile: () => void): Promise<void> {
  await world.stop();
  meanwhile();
  await pause(Math.max(0, moment + 1000 - Date.now()));
  await world.start();
}

test(
  'a deadline that passed while no manager was there fails nothing that comes up when one looks',
  async () => {
    world.data.setFaults('shop', '1.1.0', 'unready');
    await apply('1.1.0');
    const began = await world.until('the software', async () => {
      const { spec, status } = (await world.flowOf('shop')) ?? {};
      const isOurs = spec?.planned?.step.to?.version === '1.1.0';
      const move = status?.moves?.find(({ id }) => id === 'main/apply:new');
      return isOurs && move?.state === 'running' && move.startedAt;
    });
    await nobodyUntil(Date.parse(began) + lastsSeconds * 1000, () => world.data.setFaults('shop', '1.1.0'));
    await world.untilFlowEnds('shop', 'operational');
    expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
  },
  storyMs,
);

test(
  'a soak that ran out while no manager was there is looked at before the old version goes',
  async () => {
    await apply('1.2.0', { soakSeconds: lastsSeconds });
    const { status } = await world.untilSettled('shop');
    const until = Date.parse(status?.settledAt ?? '') + lastsSeconds * 1000;
    await nobodyUntil(until, () => world.data.setFaults('shop', '1.2.0', 'unready'));
    const flow = await world.untilFlowEnds('shop', 'rolledback');
    expect(flow.status?.because).toMatch(/^main\/soak:new: no address of slice \w+ is ready any more/);
    expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
  },
  storyMs,
);
