/**
 * What phases that a person wrote by hand do on any cluster: what they make, own and take along, also when the manager is killed at any
 * call. No node is needed: what they make here is done when it is there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { findObject } from '../../cluster/find-object.ts';
import type { ChartRequest } from '../../package/chart/chart-renderer.ts';
import { parseRendered } from '../../package/chart/parse-rendered.ts';
import type { PackageSource } from '../../package/source.ts';
import { type CutAt, CutLine, everyCut } from '../../testing/cut-line.ts';
import {
  beginLife,
  type HandMadePlace,
  type HandMadeWorld,
  KilledRun,
  until,
} from '../hand-made-world.contract.ts';
import type { PhaseObject } from '../our-objects.ts';
import { phaseFinalizer } from './take-down-phase.ts';

const documents = (other: string) => `
kind: Service
apiVersion: v1
metadata: { name: api }
spec: { ports: [{ port: 80 }] }
---
kind: ConfigMap
apiVersion: v1
data: { name: none }
---
kind: ServiceAccount
apiVersion: v1
metadata: { name: worker }
---
kind: ConfigMap
apiVersion: v1
metadata: { name: abroad, namespace: ${other} }
`;

const types = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
];

/** Holds phases by hand to what they promise, on a cluster. */
export function phaseAloneContract(name: string, open: () => Promise<HandMadeWorld>): void {
  describe(name, () => {
    let world: HandMadeWorld;
    beforeAll(async () => {
      world = await open();
    }, 120_000);
    afterAll(() => world.close(), 60_000);

    test('what a phase makes is its own, has its name and namespace where it has none, and goes with it', async () => {
      const place = await placeIn(world);
      const life = await beginLife(world, place);
      await createPhase(world, place);
      const phase = await until('deployed', () => deployed(world, place));
      expect(phase.status?.made?.map(one => `${one.kind} ${one.namespace} ${one.name}`)).toEqual([
        `ServiceAccount ${place.namespace} worker`,
        `ConfigMap ${place.other} abroad`,
        `ConfigMap ${place.namespace} by-hand-osins`,
        `Service ${place.namespace} api`,
      ]);
      expect(phase.metadata.finalizers).toEqual([phaseFinalizer]);
      expect(await picture(world, place)).toEqual([
        'ConfigMap abroad of nobody',
        'ConfigMap by-hand-osins of InstallPhase by-hand',
        'Service api of InstallPhase by-hand',
        'ServiceAccount worker of InstallPhase by-hand',
      ]);
      await removePhase(world, place);
      await until('gone', async () => (await find(world, place)) === undefined);
      expect(await picture(world, place)).toEqual([]);
      await life.end();
    }, 120_000);

    test('a chart that was written for phases is told the phase, and what it gives is the phase’s own', async () => {
      const { namespace, other } = await placeIn(world);
      const asked: ChartRequest[] = [];
      const place = { namespace, other, packages: stageChart(asked) };
      const life = await beginLife(world, place);
      await createPhase(world, place, { type: 'tar', location: 'charts/keystone.tgz' });
      await until('deployed', () => deployed(world, place));
      expect(asked[0]).toMatchObject({
        ...{ release: 'by-hand', namespace, values: { lifecycle: 'install', oslc: { stage: 'install' } } },
      });
      expect(await picture(world, place)).toEqual(['ConfigMap of-install of InstallPhase by-hand']);
      await removePhase(world, place);
      await until('gone', async () => (await find(world, place)) === undefined);
      expect(await picture(world, place)).toEqual([]);
      await life.end();
    }, 120_000);

    test('a phase that is deleted with what it owns kept leaves it', async () => {
      const place = await placeIn(world);
      const life = await beginLife(world, place);
      await createPhase(world, place);
      await until('deployed', () => deployed(world, place));
      await removePhase(world, place, 'Orphan');
      await until('gone', async () => (await find(world, place)) === undefined);
      expect((await picture(world, place)).map(line => line.split(' of ')[0])).toEqual([
        'ConfigMap by-hand-osins',
        'Service api',
        'ServiceAccount worker',
      ]);
      await life.end();
    }, 120_000);

    test('a manager that is killed at any call of a phase leaves it to the next one, which comes to the same end', async () => {
      const whole = await placeIn(world);
      const life = await beginLife(world, whole);
      await createPhase(world, whole);
      await until('deployed', () => deployed(world, whole));
      await removePhase(world, whole);
      await until('gone', async () => (await find(world, whole)) === undefined);
      const calls = life.line.calls().length;
      await life.end();
      const cuts = everyCut(calls).filter((_, index) => index % world.everyKill === 0);
      for (const cut of cuts) await killedRun(world, cut);
      expect(cuts.length).toBeGreaterThan(10);
    }, 900_000);
  });
}

interface Place extends HandMadePlace {
  readonly other: string;
}

async function placeIn(world: HandMadeWorld): Promise<Place> {
  const [namespace, other] = [await world.newNamespace(), await world.newNamespace()];
  const bytes = new TextEncoder().encode(documents(other));
  const files = [{ path: 'install.yaml', bytes, executable: false }];
  return { namespace, other, packages: { read: async () => ({ ok: true, files }) } };
}

const refOf = ({ namespace }: Place) => ({ apiVersion, kind: 'InstallPhase', namespace, name: 'by-hand' });

async function createPhase(
  { cluster }: HandMadeWorld,
  { namespace }: Place,
  source = { type: 'local', location: 'keystone/install.yaml' },
): Promise<void> {
  await cluster.create({
    ...{ apiVersion, kind: 'InstallPhase', metadata: { name: 'by-hand', namespace } },
    spec: { openstackServiceName: 'keystone', source },
  });
}

/** A chart that asks for the phase, and gives a ConfigMap that is called after it. */
function stageChart(asked: ChartRequest[]): PackageSource {
  const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), executable: false });
  const files = [
    file('Chart.yaml', 'apiVersion: v1\nname: keystone\nversion: 1.0.0\n'),
    file('templates/config.yaml', 'kind: ConfigMap\nmetadata: { name: "of-{{ .Values.oslc.stage }}" }\n'),
  ];
  return {
    read: async () => ({ ok: true, files }),
    charts: {
      render: async request => {
        asked.push(request);
        const name = `of-${request.values['lifecycle']}`;
        const text = `---\n# Source: keystone/templates/config.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
        return { ...parseRendered(text, 'keystone'), notes: [] };
      },
    },
  };
}

async function removePhase(
  { cluster }: HandMadeWorld,
  place: Place,
  propagation: 'Background' | 'Orphan' = 'Background',
): Promise<void> {
  await cluster.delete(refOf(place), { propagation });
}

async function find({ cluster }: HandMadeWorld, place: Place): Promise<PhaseObject | undefined> {
  return (await findObject(cluster, refOf(place))) as PhaseObject | undefined;
}

async function deployed(world: HandMadeWorld, place: Place): Promise<PhaseObject | undefined> {
  const phase = await find(world, place);
  return phase?.status?.actualState === 'deployed' ? phase : undefined;
}

/** Makes a phase, and removes it, with managers of which the first is killed at a call. */
async function killedRun(world: HandMadeWorld, cut: CutAt): Promise<void> {
  const place = await placeIn(world);
  const says = `killed ${cut.when} call ${cut.call}`;
  await createPhase(world, place);
  const run = await KilledRun.begin(world, place, new CutLine(cut));
  await run.until(`${says}: deployed`, () => deployed(world, place));
  expect(await picture(world, place), says).toHaveLength(4);
  await removePhase(world, place);
  await run.until(`${says}: gone`, async () => (await find(world, place)) === undefined);
  expect(await picture(world, place), says).toEqual([]);
  await run.end();
}

/** What is there of what the phase makes, and who owns it. */
async function picture({ cluster }: HandMadeWorld, { namespace, other }: Place): Promise<string[]> {
  const lists = await Promise.all(
    types.flatMap(type => [namespace, other].map(home => cluster.list(type, { namespace: home }))),
  );
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) =>
      ['api', 'by-hand-osins', 'worker', 'abroad', 'of-install'].includes(metadata.name),
    )
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ kind, metadata }) => {
      const owners = (metadata.ownerReferences ?? []).map(owner => `${owner.kind} ${owner.name}`);
      return `${kind} ${metadata.name} of ${owners.join() || 'nobody'}`;
    })
    .sort();
}
