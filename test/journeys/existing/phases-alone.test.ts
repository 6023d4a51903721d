import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiVersion } from '../../../src/api/group.ts';
import type { StoredObject } from '../../../src/cluster/cluster.ts';
import { findObject } from '../../../src/cluster/find-object.ts';
import { phaseTypes } from '../../../src/controller/our-objects.ts';
import type { JourneyWorld } from '../engine/journey-world.ts';
import { createFrom, holding, openExistingWorld, packageAt, phaseAt, untilState } from './existing-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openExistingWorld();
}, 60_000);
afterAll(() => world.close(), 60_000);

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const job = { apiVersion: 'batch/v1', kind: 'Job' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const find = (type: { apiVersion: string; kind: string }, name: string) =>
  findObject(world.cluster, { ...type, namespace: world.namespace, name });
const ownersOf = (object: StoredObject | undefined) =>
  (object?.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
const change = (kind: string, name: string, spec: object) =>
  world.cluster.patch(
    { apiVersion, kind, namespace: world.namespace, name },
    { type: 'merge', value: { spec: { ...spec } } },
  );
const remove = (kind: string, name: string) =>
  world.cluster.delete({ apiVersion, kind, namespace: world.namespace, name });
const untilGone = (kind: string, name: string) =>
  world.until(`${kind} ${name} to go`, async () => (await phaseAt(world, kind, name)) === undefined);

test('a phase by hand makes what its file says, in the order of Helm, and owns it', async () => {
  await createFrom(world, 'phases.yaml');
  const install = await untilState(world, 'InstallPhase', 'glance', 'deployed');
  expect(install.status).toMatchObject({ satisfied: true, actualOpenstackServiceVersion: '25.1.0' });
  expect(holding(install)).toEqual(['Deployed InstallSuccessful', 'Ready Done']);
  expect(install.status?.made?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'ConfigMap glance-etc',
    'Service glance',
    'Deployment glance-api',
    'Job glance-db-init',
  ]);
  for (const [type, name] of [
    [configMap, 'glance-etc'],
    [deployment, 'glance-api'],
    [job, 'glance-db-init'],
  ] as const)
    expect(ownersOf(await find(type, name))).toEqual(['InstallPhase glance']);
}, 90_000);

test('phases of other kinds with the same name are only laid out, until their target state is changed', async () => {
  const laidOut = await untilState(world, 'TestPhase', 'glance', 'uninitialized');
  expect(laidOut.status).toMatchObject({ satisfied: true });
  expect(laidOut.metadata.finalizers).toBeUndefined();
  expect(await find(job, 'glance-ostest')).toBeUndefined();
  await change('TestPhase', 'glance', { targetState: 'deployed' });
  const tested = await untilState(world, 'TestPhase', 'glance', 'deployed');
  expect(tested.status).toMatchObject({ testResults: 'passed', satisfied: true });
  expect(ownersOf(await find(job, 'glance-ostest'))).toEqual(['TestPhase glance']);
}, 60_000);

test('a test that fails says so, with what it wrote', async () => {
  await world.cluster.create({
    ...{ apiVersion, kind: 'TestPhase', metadata: { name: 'failing', namespace: world.namespace } },
    spec: {
      openstackServiceName: 'glance',
      source: { type: 'local', location: 'openstack/glance/test-fails.yaml' },
    },
  });
  const failed = await untilState(world, 'TestPhase', 'failing', 'failed');
  expect(failed.status).toMatchObject({ testResults: 'failed', satisfied: false });
  expect(failed.status?.reason).toMatch(/no images found/);
  expect(holding(failed)[0]).toBe('Failed ReconcileError');
  await remove('TestPhase', 'failing');
  await untilGone('TestPhase', 'failing');
  expect(await find(job, 'failing-ostest')).toBeUndefined();
}, 60_000);

test('a test that hangs ends at the time the manifest gives it, and nothing of it runs on', async () => {
  await world.cluster.create({
    ...{ apiVersion, kind: 'TestPhase', metadata: { name: 'hanging', namespace: world.namespace } },
    spec: {
      openstackServiceName: 'glance',
      testStrategy: { timeoutInSecond: 2 },
      source: { type: 'local', location: 'openstack/glance/test-hangs.yaml' },
    },
  });
  const failed = await untilState(world, 'TestPhase', 'hanging', 'failed');
  expect(failed.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('DeadlineExceeded');
  await world.until('its Job to go', async () => (await find(job, 'hanging-ostest')) === undefined);
  await remove('TestPhase', 'hanging');
  await untilGone('TestPhase', 'hanging');
}, 60_000);

test('a later phase of the service takes over what both bring, and the earlier one no longer takes it along', async () => {
  await change('UpgradePhase', 'glance', { targetState: 'deployed' });
  const upgraded = await untilState(world, 'UpgradePhase', 'glance', 'deployed');
  expect(holding(upgraded)).toEqual(['Deployed UpdateSuccessful', 'Ready Done']);
  expect(ownersOf(await find(deployment, 'glance-api'))).toEqual(['UpgradePhase glance']);
  const pods = (await world.pods('glance')).map(({ metadata }) => metadata.uid);
  await remove('InstallPhase', 'glance');
  await untilGone('InstallPhase', 'glance');
  expect(await find(configMap, 'glance-etc')).toBeUndefined();
  expect(await find(job, 'glance-db-init')).toBeUndefined();
  expect((await world.pods('glance')).map(({ metadata }) => metadata.uid)).toEqual(pods);
}, 60_000);

test('a phase that is deleted takes along what it made and nothing else', async () => {
  await world.cluster.create({
    ...configMap,
    metadata: { name: 'somebody-elses', namespace: world.namespace },
  });
  await remove('UpgradePhase', 'glance');
  await untilGone('UpgradePhase', 'glance');
  expect(await world.pods('glance')).toEqual([]);
  expect(await find(deployment, 'glance-api')).toBeUndefined();
  expect(await find(configMap, 'somebody-elses')).toBeDefined();
  expect(await phaseAt(world, 'TestPhase', 'glance')).toBeDefined();
}, 60_000);

test('what somebody else made is not taken over, and the phase says whose it is not', async () => {
  await world.cluster.create({ ...configMap, metadata: { name: 'glance-etc', namespace: world.namespace } });
  await world.cluster.create({
    ...{ apiVersion, kind: 'InstallPhase', metadata: { name: 'glance', namespace: world.namespace } },
    spec: {
      openstackServiceName: 'glance',
      source: { type: 'local', location: '/opt/openstack/glance/install.yaml' },
    },
  });
  const failed = await untilState(world, 'InstallPhase', 'glance', 'failed');
  expect(failed.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('ObjectNotOurs');
  await remove('InstallPhase', 'glance');
  await untilGone('InstallPhase', 'glance');
  expect((await find(configMap, 'glance-etc'))?.metadata.labels).toBeUndefined();
}, 60_000);

test.each([
  ['a path out of the package root', { type: 'local', location: '../../etc/passwd' }, 'PackageUnsafe'],
  [
    'a file that is not in its folder',
    { type: 'local', location: 'openstack/glance/no.yaml' },
    'PackageNotFound',
  ],
  ['a file of nowhere', { type: 'local', location: 'no/where.yaml' }, 'PackageNotInCluster'],
  ['a chart of nowhere', { type: 'tar', location: 'charts/glance.tgz' }, 'PackageNotInCluster'],
])(
  '%s is told in the conditions',
  async (_, source, reason) => {
    const name = `bad-${reason.toLowerCase()}`;
    await world.cluster.create({
      ...{ apiVersion, kind: 'PlanningPhase', metadata: { name, namespace: world.namespace } },
      spec: { openstackServiceName: 'glance', source },
    });
    const told = await untilState(world, 'PlanningPhase', name, 'error');
    expect(holding(told)).toEqual([`Error ${reason}`, `Stalled ${reason}`]);
    await remove('PlanningPhase', name);
    await untilGone('PlanningPhase', name);
  },
  60_000,
);

test('all phases of a package are laid out by one flow, and each is acted on when its target state is changed', async () => {
  packageAt(world, 'openstack/heat/1.0.0', { name: 'heat', version: '1.0.0' }, { data: 'none' });
  await world.cluster.create({
    ...{ apiVersion, kind: 'Oslc', metadata: { name: 'heat-all', namespace: world.namespace } },
    spec: {
      serviceName: 'heat',
      source: { type: 'generate', location: 'openstack/heat/1.0.0' },
      flowKind: 'all-phases',
    },
  });
  for (const { kind } of phaseTypes)
    await untilState(world, kind, `heat-${kind.replace(/Phase$/, '').toLowerCase()}`, 'uninitialized');
  await change('InstallPhase', 'heat-install', { targetState: 'deployed' });
  await untilState(world, 'InstallPhase', 'heat-install', 'deployed');
  expect(ownersOf(await find(deployment, 'heat-main'))).toEqual(['InstallPhase heat-install']);
  expect(await world.pods('heat')).toHaveLength(1);
  await change('InstallPhase', 'heat-install', { targetState: 'uninstalled' });
  const taken = await untilState(world, 'InstallPhase', 'heat-install', 'uninstalled');
  expect(taken.status).toMatchObject({ satisfied: true });
  expect(await world.pods('heat')).toEqual([]);
}, 90_000);
