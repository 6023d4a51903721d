import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, openJourneyWorld } from './journey-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
});
afterAll(() => world.close(), 60_000);

const services = ['well', 'badtest', 'badlater'].map(name => ({ name, version: '1.0.0' }));

test('three services are installed at once: one is well, one fails its test, one fails its first clients', async () => {
  world.aPackage('well', '1.0.0', { replicas: 2 });
  world.aPackage('badtest', '1.0.0', { faults: ['test'] });
  world.aPackage('badlater', '1.0.0', { traffic: { stepSeconds: 5 } });
  await world.apply({ services });
  await world.until('the test of badlater', async () => world.data.ledger('badlater').includes('1.0.0 test done'));
  world.data.setFaults('badlater', '1.0.0', 'errors');
  const load = await world.load('badlater', { clients: 8, perSecond: 60 });
  await world.untilFlowEnds('well', 'operational');
  await world.untilFlowEnds('badtest', 'takenback');
  await world.untilFlowEnds('badlater', 'withdrawn');
  await load.stop();
}, 120_000);

test('the one that is well serves, with its data, tested before it got traffic', async () => {
  expect(await world.serving('well')).toMatchObject({ version: '1.0.0', slice: 'blue' });
  expect(world.data.ledger('well').filter(line => line.endsWith('done'))).toEqual([
    '1.0.0 preflight done',
    '1.0.0 init done',
    '1.0.0 test done',
  ]);
  const [flow] = await world.flows('well');
  const moves = flow?.status?.moves?.map(({ id, state }) => `${id} ${state}`);
  expect(moves).toEqual([
    'main/check:new done',
    'main/create-data:new done',
    'main/apply:new done',
    'main/test:new done',
    'main/give-traffic:new done',
    'main/settle:new done',
  ]);
  const [revision] = await world.revisions('well');
  expect(revision?.spec).toMatchObject({ number: 1, version: '1.0.0', flow: 'install' });
  expect(revision?.spec.schemas).toEqual([{ database: 'well', expandedTo: '1', contractedTo: '1' }]);
});

test('of the one whose test failed nothing is left, neither data nor software, and it is held', async () => {
  expect(world.data.rows('badtest')).toBeUndefined();
  expect(world.data.ledger('badtest')).toContain('1.0.0 drop done');
  expect(await world.pods('badtest')).toEqual([]);
  for (const type of [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'v1', kind: 'Service' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ]) {
    const { items } = await world.cluster.list(type, { namespace: world.namespace });
    expect(items.map(({ metadata }) => metadata.name).filter(name => name.startsWith('badtest'))).toEqual([]);
  }
  expect(await world.revisions('badtest')).toEqual([]);
  const { status } = await world.untilCondition('Available', 'False');
  const said = status?.services?.find(({ name }) => name === 'badtest');
  expect(said).toMatchObject({ state: 'Absent', reason: 'HeldAfterRollback' });
});

test('the one that failed its clients has no traffic, and software and data are kept for a look', async () => {
  expect(await world.serving('badlater')).toBeUndefined();
  expect(await world.pods('badlater')).toHaveLength(1);
  expect(world.data.rows('badlater')).toBeDefined();
  const [flow] = await world.flows('badlater');
  expect(flow?.status?.because).toMatch(/fails more than it may/);
  expect(flow?.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
    status: 'True',
    reason: 'Withdrawn',
  });
});

test('applying the same record again starts nothing; a changed package of the held one does', async () => {
  for (let i = 0; i < 5; i++) await world.apply({ services });
  await world.engine.idle();
  expect(await world.flows()).toHaveLength(3);
  world.aPackage('badtest', '1.0.0', {});
  await world.apply({ services });
  await world.untilFlowEnds('badtest', 'operational');
  expect(await world.serving('badtest')).toMatchObject({ version: '1.0.0' });
  expect(await world.flows('badlater')).toHaveLength(1);
}, 60_000);
