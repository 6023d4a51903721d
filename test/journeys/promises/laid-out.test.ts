import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { phaseKinds } from '../../../src/api/phase-kinds.ts';
import { flowType } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { askAgainAndAgain, type Clients } from './ask.ts';
import { aService } from './service-package.ts';

const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'];

let world: JourneyWorld;
let clients: Clients;
beforeAll(async () => {
  world = await openJourneyWorld();
  for (const version of versions)
    aService(world, 'shop', version, { traffic: { weights: [], stepSeconds: 0 } });
  await apply('1.0.0');
  await world.untilFlowEnds('shop', 'operational');
  clients = askAgainAndAgain(world, 'shop', '/version', { clients: 2 });
}, 90_000);
afterAll(async () => {
  await clients?.stop();
  await world.close();
}, 60_000);

const apply = (version: string, more = {}) => world.apply({ services: [{ name: 'shop', version }], ...more });

/** Everything that runs or is about to. */
async function work(): Promise<string[]> {
  const types = ['apps/v1 Deployment', 'batch/v1 Job', 'v1 Pod', 'v1 Service'];
  const lists = await Promise.all(
    types.map(type => {
      const [apiVersion = '', kind = ''] = type.split(' ');
      return world.cluster.list({ apiVersion, kind }, { namespace: world.namespace });
    }),
  );
  return lists.flatMap(({ items }) =>
    items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.generation}`),
  );
}

test('phases and flows that are laid out are not acted on', async () => {
  const before = await work();
  const source = { type: 'local', location: 'somewhere' };
  const { apiVersion } = flowType;
  const made = [
    ...phaseKinds.map(({ kind }) => ({
      ...{
        apiVersion,
        kind,
        metadata: { name: `by-hand-${kind.toLowerCase()}`, namespace: world.namespace },
      },
      spec: { openstackServiceName: 'shop', source, targetState: 'uninitialized' },
    })),
    {
      ...{ ...flowType, metadata: { name: 'by-hand', namespace: world.namespace } },
      spec: { serviceName: 'shop', source, flowKind: 'upgrade', targetState: 'uninitialized' },
    },
  ];
  for (const object of made) await world.cluster.create(object);
  for (const { kind, metadata } of made) {
    const ref = { apiVersion, kind, namespace: world.namespace, name: metadata.name };
    await world.until(`${kind} to be laid out`, async () => {
      const { status } = (await world.cluster.get(ref)) as unknown as {
        status?: { actualState?: string; satisfied?: boolean };
      };
      return status?.actualState === 'uninitialized' && status.satisfied === true;
    });
  }
  expect(await work()).toEqual(before);
  for (const { kind, metadata } of made)
    await world.cluster.delete({ apiVersion, kind, namespace: world.namespace, name: metadata.name });
  await pause(1000);
  expect(await work()).toEqual(before);
}, 60_000);

test('deleting phases in mid-soak takes no process with it', async () => {
  await apply('1.1.0', { soakSeconds: 60 });
  const flow = await world.until('the soak', async () => {
    const found = await world.flowOf('shop');
    return found?.status?.soakUntil === undefined ? undefined : found;
  });
  const failed = clients.failed;
  const before = (await world.pods('shop')).map(({ metadata }) => metadata.uid).sort();
  expect(before).toHaveLength(2);
  for (const { apiVersion, kind, metadata } of await world.phases(flow.metadata.name)) {
    if (metadata.name.includes('-soak-')) continue;
    await world.cluster.delete({ apiVersion, kind, namespace: world.namespace, name: metadata.name });
  }
  await pause(3000);
  expect((await world.pods('shop')).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
  expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
  expect(clients.failed).toBe(failed);
}, 60_000);

test('deleting a flow in mid-soak takes no process that serves with it, and the next change goes on', async () => {
  const failed = clients.failed;
  const { metadata } = (await world.flowOf('shop')) ?? expect.unreachable();
  const serving = await world.serving('shop');
  const ref = { ...flowType, namespace: world.namespace, name: metadata.name };
  await world.cluster.delete(ref, { propagation: 'Foreground' });
  await pause(2000);
  expect(await world.serving('shop')).toEqual(serving);
  await apply('1.2.0');
  await world.untilFlowEnds('shop', 'operational');
  expect(await world.serving('shop')).toMatchObject({ version: '1.2.0' });
  expect(clients.failed).toBe(failed);
}, 90_000);

test('deleting a flow that has ended takes nothing with it; old revisions go, and what runs stays', async () => {
  const failed = clients.failed;
  const { metadata } = (await world.flowOf('shop')) ?? expect.unreachable();
  await world.cluster.delete({ ...flowType, namespace: world.namespace, name: metadata.name });
  for (const version of ['1.3.0', '1.4.0']) {
    await apply(version, { revisionHistoryLimit: 2 });
    await world.untilFlowEnds('shop', 'operational');
  }
  await world.until('old revisions to go', async () => (await world.revisions('shop')).length === 2);
  const numbers = (await world.revisions('shop')).map(({ spec }) => spec.version);
  expect(numbers).toEqual(['1.4.0', '1.3.0']);
  expect(await world.serving('shop')).toMatchObject({ version: '1.4.0' });
  expect(clients.failed).toBe(failed);
}, 120_000);
