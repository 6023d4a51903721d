import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiVersion } from '../../../src/api/group.ts';
import { flowType } from '../../../src/controller/our-objects.ts';
import type { JourneyWorld } from '../engine/journey-world.ts';
import { createFrom, holding, openExistingWorld, packageAt, phaseAt, untilState } from './existing-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openExistingWorld();
  const keystone = (version: string) => ({ name: 'keystone', version });
  const wish = { head: '1', traffic: { weights: [] } };
  packageAt(world, 'opt/openstack/keystone/22.0.0', keystone('22.0.0'), wish);
  packageAt(world, 'openstack/keystone/23.0.0', keystone('23.0.0'), wish);
}, 60_000);
afterAll(() => world.close(), 60_000);

test('an upgrade of what is not there waits and says what is missing', async () => {
  const [made] = await createFrom(world, 'oslc-upgrade.yaml');
  const flow = await world.until('the word', async () => {
    const found = await world.flowOf('keystone');
    return found?.status?.actualState === 'error' && found;
  });
  expect(holding(flow)).toEqual(['Error NotOperational', 'Stalled NotOperational']);
  await world.cluster.delete({ ...flowType, namespace: world.namespace, name: made?.metadata.name ?? '' });
});

test('an install waits for its planning object, walks through phases of known names, and takes the planning object away', async () => {
  await createFrom(world, 'planning.yaml', () => ({ targetState: 'uninitialized' }));
  await untilState(world, 'PlanningPhase', 'keystone-planning', 'uninitialized');
  await world.cluster.patch(
    { apiVersion, kind: 'PlanningPhase', namespace: world.namespace, name: 'keystone-planning' },
    { type: 'merge', value: { spec: { targetState: 'deployed' } } },
  );
  const planning = await untilState(world, 'PlanningPhase', 'keystone-planning', 'deployed');
  expect(planning.status?.made?.map(({ name }) => name)).toEqual(['keystone-planning-osplan']);
  await createFrom(world, 'oslc-install.yaml');
  const flow = await world.untilFlowEnds('keystone', 'operational');
  expect(flow.status).toMatchObject({ satisfied: true, actualState: 'deployed' });
  expect(holding(flow)).toEqual(['Deployed InstallSuccessful', 'Ready Done']);
  expect(await world.serving('keystone')).toMatchObject({ version: '22.0.0' });
  for (const [kind, name] of [
    ['InstallPhase', 'keystone-install'],
    ['TestPhase', 'keystone-test'],
    ['TrafficRolloutPhase', 'keystone-trafficrollout'],
    ['OperationalPhase', 'keystone-operational'],
  ] as const)
    expect(await phaseAt(world, kind, name)).toMatchObject({ status: { actualState: 'deployed' } });
  const operational = await phaseAt(world, 'OperationalPhase', 'keystone-operational');
  expect(operational?.metadata.ownerReferences).toBeUndefined();
  await world.until(
    'the planning object to go',
    async () => (await phaseAt(world, 'PlanningPhase', 'keystone-planning')) === undefined,
  );
}, 120_000);

test('a second install is refused in words', async () => {
  const made = await world.cluster.create({
    ...flowType,
    metadata: { name: 'again', namespace: world.namespace },
    spec: {
      serviceName: 'keystone',
      source: { type: 'generate', location: '/opt/openstack/keystone/22.0.0' },
      flowKind: 'install',
    },
  });
  const flow = await world.until('the word', async () => {
    const found = (await world.flows('keystone')).find(one => one.metadata.name === 'again');
    return found?.status?.actualState === 'error' && found;
  });
  expect(holding(flow)).toEqual(['Error AlreadyThere', 'Stalled AlreadyThere']);
  await world.cluster.delete({ ...flowType, namespace: world.namespace, name: made.metadata.name });
});

test('an upgrade by hand loses no request, warns of fields nobody knows, and the objects of its phases replace the old ones', async () => {
  const load = await world.load('keystone', { clients: 2, perSecond: 20 });
  const before = await phaseAt(world, 'OperationalPhase', 'keystone-operational');
  await createFrom(world, 'oslc-upgrade.yaml');
  const flow = await world.untilFlowEnds('keystone', 'operational');
  await load.stop();
  expect(load.counts().failed).toBe(0);
  expect(await world.serving('keystone')).toMatchObject({ version: '23.0.0' });
  expect(holding(flow)).toEqual(['Deployed UpdateSuccessful', 'Ready Done']);
  const after = await phaseAt(world, 'OperationalPhase', 'keystone-operational');
  expect(after?.spec.move?.oslc).toBe('keystone-flow-upgrade');
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  const { items } = await world.cluster.list(
    { apiVersion: 'v1', kind: 'Event' },
    { namespace: world.namespace, fieldSelector: `involvedObject.uid=${flow.metadata.uid}` },
  );
  const warning = items.find(event => event['reason'] === 'UnknownFields');
  expect(warning?.['message']).toMatch(/spec\.clientTLSSecret, spec\.openstackEndpoints/);
}, 120_000);

test('a rollback by hand goes back to the package it names', async () => {
  await createFrom(world, 'oslc-rollback.yaml');
  await world.untilFlowEnds('keystone', 'operational');
  expect(await world.serving('keystone')).toMatchObject({ version: '22.0.0' });
  expect((await world.revisions('keystone')).map(({ spec }) => spec.version)).toEqual([
    '22.0.0',
    '23.0.0',
    '22.0.0',
  ]);
}, 120_000);

test('deleting the flows takes no process along, and the operational object stays', async () => {
  const before = (await world.pods('keystone')).map(({ metadata }) => metadata.uid);
  for (const { metadata } of await world.flows('keystone')) {
    if (metadata.name === 'keystone-flow-rollback') continue;
    await world.cluster.delete({ ...flowType, namespace: world.namespace, name: metadata.name });
  }
  await world.engine.idle();
  expect((await world.pods('keystone')).map(({ metadata }) => metadata.uid)).toEqual(before);
  expect(await phaseAt(world, 'OperationalPhase', 'keystone-operational')).toBeDefined();
});

test('an uninstall by hand removes the service, keeps its data and puts a planning object in place', async () => {
  const rows = world.data.rows('keystone');
  await createFrom(world, 'oslc-uninstall.yaml');
  const flow = await world.untilFlowEnds('keystone', 'removed');
  expect(flow.status).toMatchObject({ satisfied: true, actualState: 'uninstalled' });
  expect(await world.pods('keystone')).toEqual([]);
  expect(world.data.rows('keystone')).toEqual(rows);
  await untilState(world, 'PlanningPhase', 'keystone-planning', 'deployed');
  await world.until(
    'the operational object to go',
    async () => (await phaseAt(world, 'OperationalPhase', 'keystone-operational')) === undefined,
  );
}, 120_000);
