/**
 * What flows that a person wrote by hand do on any cluster, also when the manager is killed at any call. Their package is a ConfigMap and a
 * Service: no node is needed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finding } from '../../api/finding.ts';
import { apiVersion } from '../../api/group.ts';
import { findObject } from '../../cluster/find-object.ts';
import type { PackageSource } from '../../package/source.ts';
import { type CutAt, CutLine, everyCut } from '../../testing/cut-line.ts';
import {
  beginLife,
  type HandMadePlace,
  type HandMadeWorld,
  KilledRun,
  until,
} from '../hand-made-world.contract.ts';
import { type FlowObject, flowType, type PhaseObject, phaseTypes, revisionType } from '../our-objects.ts';

const texts = (version: string) => ({
  'config.yaml': `kind: ConfigMap\napiVersion: v1\nmetadata: { name: keystone-etc }\ndata: { version: "${version}" }\n`,
  'lifecycle.yaml': `service: keystone\nversion: "${version}"\nstrategy: recreate\n`,
  'service.yaml':
    'kind: Service\napiVersion: v1\nmetadata: { name: keystone }\nspec: { ports: [{ port: 80 }] }\n',
});

const packages: PackageSource = {
  read: async ({ location }) => {
    const version = /^keystone\/(\d+\.0\.0)$/.exec(location)?.[1];
    if (version === undefined)
      return {
        ok: false,
        findings: [finding('PackageNotInCluster', `package ${location} is not in the cluster`)],
      };
    const files = Object.entries(texts(version)).map(([path, text]) => ({
      ...{ path, bytes: new TextEncoder().encode(text), executable: false },
    }));
    return { ok: true, files };
  },
};

/** Holds flows by hand to what they promise, on a cluster. */
export function handMadeFlowContract(name: string, open: () => Promise<HandMadeWorld>): void {
  describe(name, () => {
    let world: HandMadeWorld;
    beforeAll(async () => {
      world = await open();
    }, 120_000);
    afterAll(() => world.close(), 60_000);

    test('install, upgrade, rollback and uninstall come to their ends, and objects of known names say where the service is', async () => {
      const place = { namespace: await world.newNamespace(), packages };
      const life = await beginLife(world, place);
      for (const [flowKind, version, end] of walk) {
        await create(world, place, flowKind, version);
        const flow = await until(flowKind, () => ended(world, place, flowKind));
        expect([flow.status?.end, flow.status?.because]).toEqual([end, expect.any(String)]);
        expect(await versionOf(world, place)).toBe(end === 'removed' ? undefined : version);
      }
      // The uninstall has its end before it hands over.
      await until('the planning object in place of the operational one', async () => {
        const names = await known(world, place);
        return names.includes('keystone-planning') && !names.includes('keystone-operational');
      });
      const { items } = await world.cluster.list(revisionType, { namespace: place.namespace });
      expect(items).toHaveLength(4);
      await life.end();
    }, 180_000);

    test.each([
      ['install', 'nowhere', 'PackageNotInCluster'],
      ['dance', 'keystone/1.0.0', 'FlowKindUnknown'],
      ['uninstall', 'keystone/1.0.0', 'NotOperational'],
    ])(
      '%s from %s is told with the reason %s, and nothing is made',
      async (flowKind, location, reason) => {
        const place = { namespace: await world.newNamespace(), packages };
        const life = await beginLife(world, place);
        await create(world, place, flowKind, location);
        const flow = await until('the word', async () => {
          const found = await find(world, place, flowKind);
          return found?.status?.actualState === 'error' && found;
        });
        expect(flow.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe(reason);
        expect(flow.spec.planned).toBeUndefined();
        expect(await known(world, place)).toEqual([]);
        await life.end();
      },
      120_000,
    );

    test('an install waits for the planning object that somebody wrote, and says when that cannot be', async () => {
      const place = { namespace: await world.newNamespace(), packages };
      const life = await beginLife(world, place);
      const ref = {
        apiVersion,
        kind: 'PlanningPhase',
        namespace: place.namespace,
        name: 'keystone-planning',
      };
      await world.cluster.create({
        ...{ apiVersion, kind: ref.kind, metadata: { name: ref.name, namespace: place.namespace } },
        spec: { openstackServiceName: 'keystone', source: { type: 'local', location: 'nowhere.yaml' } },
      });
      await create(world, place, 'install', 'keystone/1.0.0');
      await until('the word', async () => {
        const conditions = (await find(world, place, 'install'))?.status?.conditions ?? [];
        return conditions.some(({ reason }) => reason === 'StartPointFailed');
      });
      expect(await versionOf(world, place)).toBeUndefined();
      await world.cluster.delete(ref);
      const flow = await until('install', () => ended(world, place, 'install'));
      expect(flow.status?.end).toBe('operational');
      await life.end();
    }, 120_000);

    test('an object that a person wrote keeps its known name, and the flow goes beside it', async () => {
      const place = { namespace: await world.newNamespace(), packages };
      const life = await beginLife(world, place);
      await world.cluster.create({
        ...{
          apiVersion,
          kind: 'InstallPhase',
          metadata: { name: 'keystone-install', namespace: place.namespace },
        },
        spec: {
          openstackServiceName: 'keystone',
          source: { type: 'local', location: 'nowhere.yaml' },
          targetState: 'uninitialized',
        },
      });
      await create(world, place, 'install', 'keystone/1.0.0');
      const flow = await until('install', () => ended(world, place, 'install'));
      expect(flow.status?.end).toBe('operational');
      const ref = { apiVersion, kind: 'InstallPhase', namespace: place.namespace, name: 'keystone-install' };
      const mine = (await world.cluster.get(ref)) as PhaseObject;
      expect([mine.spec.move, mine.status?.actualState]).toEqual([undefined, 'uninitialized']);
      await life.end();
    }, 120_000);

    test("a service that a record names is the record's", async () => {
      const place = { namespace: await world.newNamespace(), packages };
      await world.cluster.create({
        ...{
          apiVersion,
          kind: 'OpenstackDeployment',
          metadata: { name: 'north', namespace: place.namespace },
        },
        spec: {
          source: { type: 'local', location: '{name}/{version}' },
          services: [{ name: 'keystone', version: '1.0.0' }],
        },
      });
      await create(world, place, 'install', 'keystone/1.0.0');
      const life = await beginLife(world, place);
      await until('the word', async () => {
        const conditions = (await find(world, place, 'install'))?.status?.conditions ?? [];
        return conditions.some(({ reason }) => reason === 'OfRecord');
      });
      await life.end();
    }, 120_000);

    test('a manager that is killed at any call of a flow leaves it to the next one, which comes to the same end', async () => {
      const whole = { namespace: await world.newNamespace(), packages };
      const life = await beginLife(world, whole);
      for (const [flowKind, version] of killedWalk) {
        await create(world, whole, flowKind, version);
        await until(flowKind, () => handedOver(world, whole, flowKind));
      }
      const calls = life.line.calls().length;
      const end = await picture(world, whole);
      await life.end();
      // A flow has far more calls than a phase.
      const cuts = everyCut(calls).filter((_, index) => index % (2 * world.everyKill) === 0);
      for (const cut of cuts)
        expect(await killedRun(world, cut), `killed ${cut.when} ${cut.call}`).toEqual(end);
      expect(cuts.length).toBeGreaterThan(4);
    }, 900_000);
  });
}

const walk = [
  ['install', 'keystone/1.0.0', 'operational'],
  ['upgrade', 'keystone/2.0.0', 'operational'],
  ['rollback', 'keystone/1.0.0', 'operational'],
  ['uninstall', 'keystone/1.0.0', 'removed'],
] as const;
const killedWalk = [walk[0], walk[3]] as const;

async function create(
  { cluster }: HandMadeWorld,
  { namespace }: HandMadePlace,
  flowKind: string,
  location: string,
): Promise<void> {
  await cluster.create({
    ...{ apiVersion, kind: 'Oslc', metadata: { name: flowKind, namespace } },
    spec: { serviceName: 'keystone', flowKind, source: { type: 'generate', location } },
  });
}

async function find(
  { cluster }: HandMadeWorld,
  { namespace }: HandMadePlace,
  name: string,
): Promise<FlowObject | undefined> {
  return (await findObject(cluster, { ...flowType, namespace, name })) as FlowObject | undefined;
}

async function ended(
  world: HandMadeWorld,
  place: HandMadePlace,
  name: string,
): Promise<FlowObject | undefined> {
  const flow = await find(world, place, name);
  return flow?.status?.end === undefined ? undefined : flow;
}

async function handedOver(
  world: HandMadeWorld,
  place: HandMadePlace,
  name: string,
): Promise<FlowObject | undefined> {
  const flow = await find(world, place, name);
  return flow?.status?.handedOverAt === undefined ? undefined : flow;
}

/** The package that the config of the service is of. */
async function versionOf(
  { cluster }: HandMadeWorld,
  { namespace }: HandMadePlace,
): Promise<string | undefined> {
  const found = await findObject(cluster, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace,
    name: 'keystone-etc',
  });
  const { version } = (found?.['data'] ?? {}) as { version?: string };
  return version === undefined ? undefined : `keystone/${version}`;
}

/** Objects of phases under the names they are known by. */
async function known({ cluster }: HandMadeWorld, { namespace }: HandMadePlace): Promise<string[]> {
  const lists = await Promise.all(phaseTypes.map(type => cluster.list(type, { namespace })));
  const names = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
  return names.filter(name => /^keystone-[a-z]+$/.test(name)).sort();
}

/** Everything that a run leaves, in words that are the same for the same end. */
async function picture(world: HandMadeWorld, place: HandMadePlace): Promise<unknown> {
  const { items } = await world.cluster.list(revisionType, { namespace: place.namespace });
  const flows = await Promise.all(killedWalk.map(([name]) => find(world, place, name)));
  return {
    known: await known(world, place),
    version: await versionOf(world, place),
    revisions: items.length,
    flows: flows.map(flow => [
      flow?.status?.end,
      flow?.status?.moves?.map(({ id, state }) => `${id} ${state}`),
    ]),
  };
}

async function killedRun(world: HandMadeWorld, cut: CutAt): Promise<unknown> {
  const place = { namespace: await world.newNamespace(), packages };
  const run = await KilledRun.begin(world, place, new CutLine(cut));
  for (const [flowKind, version] of killedWalk) {
    await create(world, place, flowKind, version);
    await run.until(`${flowKind}, killed ${cut.when} ${cut.call}`, () => handedOver(world, place, flowKind));
  }
  const end = await picture(world, place);
  await run.end();
  return end;
}
