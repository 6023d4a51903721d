/** A cloud of real services with Glance in it, and pictures of all that is Glance's: processes, objects, rows. */
import { readdirSync, readFileSync } from 'node:fs';
import { apiVersion } from '../../src/api/group.ts';
import { kinds } from '../../src/api/kinds.ts';
import { serviceLabel } from '../../src/api/labels.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ObjectType } from '../../src/cluster/cluster.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { keystoneRows, type Rows } from './keystone-rows.ts';
import { keystoneVersions, openKeystoneWorld, patience } from './keystone-world.ts';

/** The versions of Glance that journeys go between. */
export const glanceVersions = { first: '25.1.0-deb12u3', patched: '25.1.0-deb12u5', next: '30.0.0' } as const;

/** Which versions the cloud shall have; the first ones unless told. */
export interface CloudWish {
  readonly keystone?: string;
  readonly glance?: string;
  /** More of what the record says of Glance. */
  readonly more?: JsonObject;
}

/** Opens one, and installs the first versions in it. */
export async function openInstalledGlance(): Promise<JourneyWorld> {
  const world = await openKeystoneWorld();
  try {
    await applyCloud(world);
    for (const name of ['mariadb', 'memcached', 'keystone', 'glance'])
      await world.untilFlowEnds(name, 'operational', patience);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Says which versions the cloud shall have, with shorter tests than a person would want. */
export function applyCloud(world: JourneyWorld, wish: CloudWish = {}): Promise<number> {
  const { keystone = keystoneVersions.first, glance = glanceVersions.first, more = {} } = wish;
  return world.apply({
    soakSeconds: 1,
    services: [
      { name: 'mariadb', version: '10.11' },
      { name: 'memcached', version: '1.6.18' },
      {
        ...{ name: 'keystone', version: keystone, values: { passwordHashRounds: 4, testCalls: 50 } },
        allowUnsupportedJump: true,
      },
      { name: 'glance', version: glance, values: { testCalls: 20 }, allowUnsupportedJump: true, ...more },
    ],
  });
}

/** All that is Glance's, to be compared. */
export interface GlancePicture {
  /** Process ids, each with when it was started. */
  readonly processes: readonly string[];
  /** Kind and name of each object, with its uid and the mark that every write changes. */
  readonly objects: readonly string[];
  readonly rows: Rows;
}

/** Takes a picture of all that is Glance's. */
export async function pictureOfGlance(world: JourneyWorld): Promise<GlancePicture> {
  return {
    processes: await processesOfGlance(world),
    objects: await objectsOfGlance(world),
    rows: await keystoneRows(world, 'glance'),
  };
}

/** Processes of Glance's Pods, workers too: the uid of the Pod is in the environment of each. */
async function processesOfGlance(world: JourneyWorld): Promise<string[]> {
  const uids = (await world.pods('glance')).map(({ metadata }) => metadata.uid);
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      const environment = textOf(`/proc/${pid}/environ`);
      if (!uids.some(uid => environment.includes(`/${uid}/`))) return [];
      // The name of a program may have spaces in it, so fields are counted from behind it; the start is field 22.
      const started = textOf(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ')[19];
      return [`${pid} started ${started}`];
    });
}

/** Empty for a process that went meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const builtin: readonly ObjectType[] = [
  ...['ConfigMap', 'Endpoints', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Service'].map(kind => ({
    ...{ apiVersion: 'v1', kind },
  })),
  ...['Deployment', 'ReplicaSet'].map(kind => ({ apiVersion: 'apps/v1', kind })),
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
];
const ours: readonly ObjectType[] = kinds.map(({ kind }) => ({ apiVersion, kind }));

async function objectsOfGlance({ cluster, namespace }: JourneyWorld): Promise<string[]> {
  const lists = await Promise.all([...builtin, ...ours].map(type => cluster.list(type, { namespace })));
  return lists
    .flatMap(({ items }) => items)
    .filter(
      ({ metadata }) => metadata.name.startsWith('glance-') || metadata.labels?.[serviceLabel] === 'glance',
    )
    .map(
      ({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid} written ${metadata.resourceVersion}`,
    )
    .toSorted();
}
