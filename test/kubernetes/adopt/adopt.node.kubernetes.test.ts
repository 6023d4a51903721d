/**
 * Helm runs three services. They are adopted, with clients at work and nothing touched; upgraded, beside what was found; and brought back to
 * what was found, once while it still stands there and once when it is gone.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findHelm } from '../../../scripts/kubernetes/build/find-programs.ts';
import type { ClientLoad } from '../../../scripts/start/client-load.ts';
import { servicesName } from '../../../src/app/deploy/deploy-names.ts';
import { adopt } from '../../../src/app/operate/adopt.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { StoredObject } from '../../../src/cluster/cluster.ts';
import { HelmRenderer } from '../../../src/package/chart/helm-renderer.ts';
import { type JourneyWorld, storyMs } from '../../journeys/engine/journey-world.ts';
import { openNodeWorld, theNode } from '../node-world.ts';
import { webVolume, writeWebChart } from './web-chart.ts';

const run = promisify(execFile);
const releases = { identity: 'Deployment', image: 'Deployment', block: 'StatefulSet' } as const;
let world: JourneyWorld;
let load: ClientLoad;
let services: readonly JsonObject[];
let found: readonly StoredObject[];

const chartOf = (release: string, version: string) => join(world.folder, 'charts', release, version);

async function writeChart(release: keyof typeof releases, version: string): Promise<void> {
  const { place, data } = world;
  writeWebChart(chartOf(release, version), {
    ...{ release, version, place, data: data.folder, kind: releases[release] },
  });
  await place.image(`journey/${release}:${version}`);
}

/** Everything that Helm's releases are made of, and what came of it. */
async function everything(): Promise<readonly StoredObject[]> {
  const kinds = [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'apps/v1', kind: 'StatefulSet' },
    { apiVersion: 'v1', kind: 'Service' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'v1', kind: 'Pod' },
  ];
  const lists = await Promise.all(
    kinds.map(type => world.cluster.list(type, { namespace: world.namespace })),
  );
  const names = new RegExp(`^(${Object.keys(releases).join('|')})(-|$)`);
  const all = lists.flatMap(({ items }) => items).filter(({ metadata }) => names.test(metadata.name));
  return all.map(object => (object.kind === 'Pod' ? withoutStatus(object) : object));
}

/** What a kubelet tells of a Pod it goes on telling. */
function withoutStatus({ status: _status, metadata, ...rest }: StoredObject): StoredObject {
  const { managedFields: _fields, resourceVersion: _version, ...own } = metadata;
  return { ...rest, metadata: own } as StoredObject;
}

const podsOf = async (service: string) =>
  (await world.pods(service)).map(({ metadata }) => metadata.uid).sort();

beforeAll(async () => {
  world = await openNodeWorld();
  const helm = await findHelm(line => process.stdout.write(`${line}\n`));
  process.env['AFLOAT_HELM'] = helm; // who renders charts in this process looks there
  const { kubeconfig } = await theNode();
  const where = ['--kubeconfig', kubeconfig, '--namespace', world.namespace];
  for (const release of Object.keys(releases) as (keyof typeof releases)[]) {
    await writeChart(release, '1.0.0');
    mkdirSync(join(world.data.folder, release));
    await world.cluster.create(webVolume(release, world.namespace, world.data.folder));
    const chart = chartOf(release, '1.0.0');
    await run(helm, [
      'install',
      release,
      chart,
      ...where,
      '--wait',
      '--timeout',
      '5m',
      '--set',
      'setting=mine',
    ]);
  }
  load = await world.load('identity');
}, storyMs);
afterAll(async () => {
  for (const release of Object.keys(releases)) {
    const name = `${world.namespace}-${release}`;
    await world.cluster.delete({ apiVersion: 'v1', kind: 'PersistentVolume', name });
  }
  await world.close();
}, storyMs);

test('what Helm runs is adopted, and no object of it changes by a byte', { timeout: storyMs }, async () => {
  found = await everything();
  expect(found.filter(({ kind }) => kind === 'Pod')).toHaveLength(6);
  const { cluster, namespace } = world;
  const adoption = await adopt(
    { cluster, namespace, user: 'operator', charts: new HelmRenderer() },
    { releases: [], cloud: world.recordName, serviceAccount: servicesName },
  );
  if ('findings' in adoption) throw new TypeError(JSON.stringify(adoption.findings));
  await adoption.carryOut();
  services = (adoption.record['spec'] as unknown as { services: JsonObject[] }).services;
  await world.untilReady();
  expect(await world.flows()).toEqual([]);
  expect(await everything()).toEqual(found);
});

const withVersion = (name: string, version: string) =>
  services.map(one => {
    if (one['name'] !== name) return one;
    return { ...one, version, source: { type: 'local', location: `packages/${name}/${version}` } };
  });

async function upgrade(name: keyof typeof releases, version: string, soakSeconds: number): Promise<void> {
  await writeChart(name, version);
  world.takePackage(chartOf(name, version), name, version);
  await world.apply({ services: withVersion(name, version), soakSeconds });
}

test('its next change comes up beside what was found, and going back in time is moving traffic back', {
  timeout: storyMs,
}, async () => {
  const before = await podsOf('identity');
  await upgrade('identity', '1.1.0', 600);
  await world.untilSettled('identity', 120);
  expect(await world.serving('identity')).toMatchObject({ version: '1.1.0', setting: 'mine' });
  expect(await podsOf('identity')).toEqual(expect.arrayContaining(before));
  const flow = await world.flowOf('identity');
  if (!flow) throw new TypeError('there is no flow');
  await world.patchSpec(flow, { aborted: true });
  await world.untilFlowEnds('identity', 'rolledback', 120);
  expect(await world.serving('identity')).toMatchObject({ version: '1.0.0', setting: 'mine' });
  expect(await podsOf('identity')).toEqual(before);
  const others = (all: readonly StoredObject[]) =>
    all.filter(({ metadata }) => !metadata.name.startsWith('identity'));
  expect(others(await everything())).toEqual(others(found));
  expect(load.counts().failed, load.lastFailure).toBe(0);
});

test('what was found is returned to also when it is gone', { timeout: storyMs }, async () => {
  await upgrade('identity', '1.2.0', 1);
  await world.untilFlowEnds('identity', 'operational', 120);
  const plan = await world.ask({ rollback: 'identity', to: 1 });
  await world.approvePlan(plan);
  await world.untilFlowEnds('identity', 'operational', 120);
  expect(await world.serving('identity')).toMatchObject({ version: '1.0.0', setting: 'mine' });
  expect(load.counts().failed, load.lastFailure).toBe(0);
  expect((await load.checkWrites()).lost).toEqual([]);
});

test('what cannot stand twice is changed under its own name', { timeout: storyMs }, async () => {
  await upgrade('block', '1.1.0', 1);
  await world.untilFlowEnds('block', 'operational', 120);
  expect(await world.serving('block')).toMatchObject({ version: '1.1.0' });
});
