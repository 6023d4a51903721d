import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlowObject } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { askAgainAndAgain, type Clients } from './ask.ts';
import { aService } from './service-package.ts';

const firstWeight = 20;

let world: JourneyWorld;
let clients: Clients;
beforeAll(async () => {
  world = await openJourneyWorld();
  const traffic = { weights: [firstWeight], stepSeconds: 15, maxErrorPercent: 2 };
  aService(world, 'shop', '1.0.0');
  aService(world, 'shop', '1.1.0', { traffic });
  aService(world, 'shop', '1.2.0', { traffic: { ...traffic, stepSeconds: 2 } });
  await apply('1.0.0');
  await world.untilFlowEnds('shop', 'operational');
  clients = askAgainAndAgain(world, 'shop', '/odd');
}, 90_000);
afterAll(async () => {
  await clients?.stop();
  await world.close();
}, 60_000);

const apply = (version: string, more = {}) => world.apply({ services: [{ name: 'shop', version }], ...more });

/** What clients got while one move of a flow went on, of the slice it was about. */
async function counted(flow: FlowObject, move: string) {
  const phase = (await world.phases(flow.metadata.name)).find(({ spec }) => spec.move?.id === move);
  const [slice] = flow.status?.newSlices ?? [];
  return phase?.status?.traffic?.slices.find(one => one.slice === slice) ?? expect.unreachable(move);
}

test('errors that only clients meet bring traffic back in rollout, and few clients meet them', async () => {
  const [asked, failed] = [clients.asked, clients.failed];
  world.data.setFaults('shop', '1.1.0', 'odd');
  await apply('1.1.0');
  const flow = await world.untilFlowEnds('shop', 'rolledback');
  expect(flow.status?.because).toMatch(
    /^main\/give-traffic:new: slice green fails more than it may \(2 points\): \d+ of \d+ failed/,
  );
  expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
  const { requests, errors } = await counted(flow, 'main/give-traffic:new');
  const met = clients.failed - failed;
  expect(met).toBeGreaterThan(0);
  // One in ten of a share that is the first weight, for no longer than it takes to see it.
  expect(met).toBeLessThan(((clients.asked - asked) * firstWeight) / 100);
  expect(errors).toBeGreaterThan(0);
  expect(errors).toBeLessThanOrEqual(met);
  expect(requests).toBeGreaterThanOrEqual(20);
  await world.untilCondition('Stalled', 'True', 'HeldAfterRollback');
}, 120_000);

test('errors that begin in the soak bring traffic back too', async () => {
  await apply('1.2.0', { soakSeconds: 60 });
  const soaking = await world.until('the soak', async () => {
    const flow = await world.flowOf('shop');
    return flow?.status?.soakUntil === undefined ? undefined : flow;
  });
  expect(await world.serving('shop')).toMatchObject({ version: '1.2.0' });
  const failed = clients.failed;
  world.data.setFaults('shop', '1.2.0', 'odd');
  const flow = await world.untilFlowEnds('shop', 'rolledback');
  expect(flow.metadata.name).toBe(soaking.metadata.name);
  expect(flow.status?.because).toMatch(/^main\/soak:new: slice \w+ fails more than it may/);
  expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
  expect((await counted(flow, 'main/soak:new')).errors).toBeGreaterThan(0);
  expect(clients.failed).toBeGreaterThan(failed);
  await world.untilCondition('Stalled', 'True', 'HeldAfterRollback');
  const after = clients.failed;
  await world.until('many more requests', async () => clients.asked > after + 200);
  expect(clients.failed).toBe(after);
  const [newest] = await world.revisions('shop');
  expect(newest?.spec).toMatchObject({ flow: 'rollback', version: '1.0.0' });
}, 120_000);
