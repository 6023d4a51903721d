import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sliceLabel } from '../../../src/api/labels.ts';
import { readCloud } from '../../../src/app/operate/read-cloud.ts';
import { viewOf } from '../../../src/status/status.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** What happens to a service that nobody changes, or that somebody changes by hand: it is seen, said, and mended where that is safe. */
let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
  aService(world, 'shop', '1.0.0', { traffic: { weights: [], stepSeconds: 0 } });
  await apply('1.0.0');
  await world.untilFlowEnds('shop', 'operational');
}, 90_000);
afterAll(() => world.close(), 60_000);

const apply = (version: string, more = {}) => world.apply({ services: [{ name: 'shop', version }], ...more });
const facts = async () =>
  viewOf(await readCloud(world.cluster, world.namespace, { now: new Date().toISOString() })).facts;
const serviceRef = () => ({ apiVersion: 'v1', kind: 'Service', namespace: world.namespace, name: 'shop' });
const select = (slice: string) =>
  world.cluster.patch(
    serviceRef(),
    { type: 'merge', value: { spec: { selector: { [sliceLabel]: slice } } } },
    { fieldManager: 'somebody' },
  );
const selected = async () =>
  ((await world.cluster.get(serviceRef()))['spec'] as { selector: Record<string, string> }).selector[
    sliceLabel
  ];
const otherThan = (slice: string | undefined) => (slice === 'blue' ? 'green' : 'blue');

test('a service whose pods stop answering by themselves: requests fail, and that is said, until they answer again', async () => {
  await world.untilCondition('Available', 'True', 'Served');
  world.data.setFaults('shop', '1.0.0', 'unready');
  await world.untilCondition('Available', 'False', 'NotReady');
  await world.untilCondition('Ready', 'False', 'NotReady');
  const down = await facts();
  expect(down.serving).toMatchObject([{ service: 'shop', by: [], expected: true }]);
  expect(down.failing).toMatchObject({ answer: 'yes', impact: { api: 'outage' } });
  expect(down.safe.answer).toBe(false);
  expect(down.command?.line).toBe('afloat logs shop');
  world.data.setFaults('shop', '1.0.0');
  await world.untilReady();
  expect((await facts()).failing).toMatchObject({ answer: 'no', impact: { api: 'none' } });
}, 90_000);

test('fewer pods than there shall be: degraded, and available', async () => {
  await world.apply({ services: [{ name: 'shop', version: '1.0.0', values: { replicas: 2 } }] });
  await world.untilFlowEnds('shop', 'operational');
  await world.untilReady();
  const [pod] = await world.pods('shop');
  await world.cluster.delete({
    ...{ apiVersion: 'v1', kind: 'Pod', namespace: world.namespace, name: pod?.metadata.name ?? '' },
  });
  const { status } = await world.untilCondition('Available', 'True', 'Degraded');
  expect(status?.conditions?.find(({ type }) => type === 'Available')?.message).toContain('1 of 2');
  await world.untilCondition('Available', 'True', 'Served');
}, 90_000);

test('traffic that somebody moves by hand to another slice comes back, and is told as drift', async () => {
  const slice = await selected();
  await select(otherThan(slice));
  await world.until('the selector of the revision', async () => (await selected()) === slice);
  await world.until('an answer', async () => (await world.serving('shop'))?.slice === slice);
  await world.until('the event', async () => {
    const { items } = await world.cluster.list(
      { apiVersion: 'v1', kind: 'Event' },
      { namespace: world.namespace, fieldSelector: 'reason=DriftRepaired' },
    );
    return items.some(event => `${event['message']}`.startsWith('Service shop '));
  });
}, 60_000);

test('the Service that clients use comes back with its traffic when somebody deletes it', async () => {
  const slice = await selected();
  const { uid } = (await world.cluster.get(serviceRef())).metadata;
  await world.cluster.delete(serviceRef());
  await world.until('another one that selects the same', async () => {
    const { items } = await world.cluster.list(serviceRef(), { namespace: world.namespace });
    const found = items.find(({ metadata }) => metadata.name === 'shop' && metadata.uid !== uid);
    const { selector } = (found?.['spec'] ?? {}) as { selector?: Record<string, string> };
    return selector?.[sliceLabel] === slice;
  });
  await world.until('an answer', async () => (await world.serving('shop'))?.slice === slice);
}, 60_000);

test('an object that somebody else made is neither taken over nor removed, and the upgrade goes back', async () => {
  aService(world, 'shop', '1.1.0');
  const name = `shop-etc-${otherThan(await selected())}`;
  const mine = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: world.namespace } };
  await world.cluster.create({ ...mine, data: { mine: 'yes' } });
  await apply('1.1.0');
  const flow = await world.untilFlowEnds('shop', 'rolledback');
  expect(flow.status?.because).toContain(`ConfigMap ${name} is there already, and not made by Afloat`);
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: world.namespace, name };
  expect((await world.cluster.get(ref))['data']).toEqual({ mine: 'yes' });
  expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
  await world.cluster.delete(ref);
}, 90_000);

test('a version that dies in its soak: traffic returns at once to the one that never stopped', async () => {
  aService(world, 'shop', '1.2.0', { traffic: { weights: [], stepSeconds: 0 } });
  await apply('1.2.0', { soakSeconds: 300 });
  await world.untilSettled('shop');
  const died = performance.now();
  world.data.setFaults('shop', '1.2.0', 'unready');
  await world.until('the old version', async () => (await world.serving('shop'))?.version === '1.0.0', 60);
  expect(performance.now() - died).toBeLessThan(30_000);
  const flow = await world.untilFlowEnds('shop', 'rolledback');
  expect(flow.status?.because).toMatch(/no address of slice \w+ is ready any more/);
}, 120_000);

/** Lets an upgrade stop where it can go neither on nor back: somebody moves traffic to the slice it is about to fill. */
async function stopHalfWay(version: string) {
  const go = join(world.data.folder, `go-${version}`);
  aService(world, 'shop', version, { pre: `while [ ! -e ${go} ]; do sleep 0.2; done` });
  const slice = (await selected()) ?? '';
  await apply(version);
  await world.until('the task before the software', async () => {
    const { spec, status } = (await world.flowOf('shop')) ?? {};
    const isOurs = spec?.planned?.step.to?.version === version;
    return isOurs && status?.moves?.some(({ id }) => id === 'main/apply:new');
  });
  await select(otherThan(slice));
  writeFileSync(go, '');
  const flow = await world.untilFlowEnds('shop', 'irreconcilable');
  await world.untilCondition('Available', 'False', 'NotReady');
  const { items } = await world.cluster.list(
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { namespace: world.namespace },
  );
  await select(slice);
  await world.until('an answer', async () => (await world.serving('shop'))?.version === '1.0.0');
  await world.untilCondition('Ready', 'False', 'Irreconcilable');
  return { flow, slice, deployments: items.map(({ metadata }) => metadata.name) };
}

test('a slice that serves is not changed: the flow stops and says so; a record that asks for what serves ends that', async () => {
  const { flow, slice, deployments } = await stopHalfWay('1.3.0');
  expect(flow.status?.because).toContain(`Slice ${otherThan(slice)} of shop serves clients`);
  expect(deployments).toEqual([`shop-${slice}`]);
  await world.apply({ services: [{ name: 'shop', version: '1.0.0', values: { replicas: 2 } }] });
  await world.untilReady();
  const status = (await world.record()).status?.services?.find(({ name }) => name === 'shop');
  expect(status).toMatchObject({ version: '1.0.0', state: 'Operational' });
}, 120_000);

test('after a flow that could go neither on nor back, a changed record is planned from what serves', async () => {
  await stopHalfWay('1.3.2');
  aService(world, 'shop', '1.3.3');
  await apply('1.3.3');
  const { spec } = await world.untilFlowEnds('shop', 'operational');
  const plan = (await world.plans()).find(({ metadata }) => metadata.name === spec.planned?.plan);
  expect(plan?.spec.plan.notes.join()).toContain('1.0.0 serves, and this plan starts from it');
  expect(await world.serving('shop')).toMatchObject({ version: '1.3.3' });
  await world.untilReady();
}, 120_000);

test('a new slice that stops answering before it has all traffic fails its rollout after a while, and the old one serves', async () => {
  aService(world, 'shop', '1.4.0', { traffic: { weights: [10, 50], stepSeconds: 60 } });
  await apply('1.4.0');
  await world.until('the rollout', async () => {
    const { spec, status } = (await world.flowOf('shop')) ?? {};
    const isOurs = spec?.planned?.step.to?.version === '1.4.0';
    return isOurs && status?.moves?.some(({ id }) => id === 'main/give-traffic:new');
  });
  world.data.setFaults('shop', '1.4.0', 'unready');
  const flow = await world.untilFlowEnds('shop', 'rolledback', 90);
  expect(flow.status?.because).toMatch(/main\/give-traffic:new: no address of slice \w+ was ready for 30 s/);
  expect(await world.serving('shop')).toMatchObject({ version: '1.3.3' });
}, 150_000);

test('one service whose wish is impossible is named and left as it is, and the others are carried out', async () => {
  aService(world, 'shop', '1.5.0');
  await world.apply({
    services: [
      { name: 'shop', version: '1.5.0' },
      { name: 'extra', version: '9.9.9' },
    ],
  });
  const { spec } = await world.untilFlowEnds('shop', 'operational');
  const plan = (await world.plans()).find(({ metadata }) => metadata.name === spec.planned?.plan);
  expect(plan?.spec.plan.waiting).toMatchObject([{ service: 'extra', reason: 'Refused' }]);
  expect(plan?.spec.plan.waiting[0]?.message).toContain('extra/9.9.9');
  expect(await world.serving('shop')).toMatchObject({ version: '1.5.0' });
  await world.untilCondition('Stalled', 'True', 'PackageNotInCluster');
  expect(await world.flows('extra')).toEqual([]);
  await apply('1.5.0');
  await world.untilReady();
}, 90_000);
