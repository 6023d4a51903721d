/** A cloud of real services: MariaDB, memcached and Keystone of Debian, each in a root of its own, or in an image of it. */
import { join } from 'node:path';
import { findMariadb } from '../../scripts/openstack/find-mariadb.ts';
import type { Variant } from '../../scripts/openstack/packages/compose-package.ts';
import { composeOne, composePackages } from '../../scripts/openstack/packages/compose-packages.ts';
import { findRoots } from '../../scripts/openstack/roots/find-roots.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { type MariadbAccess, openAccess, runTool } from '../../src/data/mariadb/program/mariadb-access.ts';
import { embeddedPlace, type JourneyPlace } from '../journeys/engine/journey-place.ts';
import { type JourneyWorld, openJourneyWorld } from '../journeys/engine/journey-world.ts';

/** The versions of Keystone that journeys go between. */
export const keystoneVersions = {
  first: '22.0.2-deb12u3',
  patched: '22.0.2-deb12u6',
  next: '27.0.0',
} as const;

/** What a record may say of Keystone beside its version. */
export interface KeystoneWish {
  readonly values?: JsonObject;
  readonly allowUnsupportedJump?: boolean;
  readonly strategy?: string;
  /** How long the old version stays beside the new one. A second unless told. */
  readonly soakSeconds?: number;
}

/** Opens one, with the packages of all versions, on this machine alone unless told. Nothing is installed yet. */
export async function openKeystoneWorld(
  openPlace: (folder: string) => JourneyPlace | Promise<JourneyPlace> = folder =>
    embeddedPlace(folder, { isolation: 'namespaces' }),
): Promise<JourneyWorld> {
  await findRoots();
  const world = await openJourneyWorld(openPlace);
  const composed = join(world.folder, 'composed');
  for (const { service, version } of await composePackages(composed))
    world.takePackage(join(composed, service, version), service, version);
  return world;
}

/** Longer than a story takes on a busy machine of two cores. */
export const storyMs = 2_400_000;
/** Seconds that one flow may take there. */
export const patience = 1200;

/** Opens one, and installs the first version in it. */
export async function openInstalledKeystone(): Promise<JourneyWorld> {
  const world = await openKeystoneWorld();
  try {
    await installKeystone(world);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Installs the first version, with all that it needs. */
export async function installKeystone(world: JourneyWorld): Promise<void> {
  await applyKeystone(world, keystoneVersions.first);
  for (const name of ['mariadb', 'memcached', 'keystone'])
    await world.untilFlowEnds(name, 'operational', patience);
}

/** Makes a version of Keystone that is another one but for some files; a record may ask for it. */
export async function takeVariant(world: JourneyWorld, version: string, variant: Variant): Promise<void> {
  const folder = join(world.folder, 'composed');
  await composeOne('keystone', version, { folder, variant });
  world.takePackage(join(folder, 'keystone', version), 'keystone', version);
}

/** The version of the revision that is in force. */
export async function servedVersion(world: JourneyWorld): Promise<string | undefined> {
  return (await world.revisions('keystone'))[0]?.spec.version;
}

/** The moves that a flow has made, without the name of the main path. */
export async function movesOf(
  world: JourneyWorld,
  flow: { readonly metadata: { readonly name: string } },
): Promise<string[]> {
  const newest = (await world.flows('keystone')).find(({ metadata }) => metadata.name === flow.metadata.name);
  return (newest?.status?.moves ?? []).map(({ id }) => id.replace(/^main\//, ''));
}

/** Says that the cloud shall be at this version of Keystone, with a cheap password hash and a shorter test: journeys make many of them. */
export function applyKeystone(
  world: JourneyWorld,
  version: string,
  wish: KeystoneWish = {},
): Promise<number> {
  const { values = {}, soakSeconds = 1, ...more } = wish;
  return world.apply({
    soakSeconds,
    services: [
      { name: 'mariadb', version: '10.11' },
      { name: 'memcached', version: '1.6.18' },
      { name: 'keystone', version, values: { passwordHashRounds: 4, testCalls: 50, ...values }, ...more },
    ],
  });
}

/** The password of the first administrator. */
export function adminPassword(world: JourneyWorld): Promise<string> {
  return passwordIn(world, 'keystone-admin');
}

async function passwordIn(world: JourneyWorld, name: string): Promise<string> {
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name };
  const { data } = (await world.cluster.get(ref)) as unknown as { data: { password: string } };
  return Buffer.from(data.password, 'base64').toString('utf8');
}

/** Writes a password into a Secret, as whoever changed it does. */
export async function writePassword(world: JourneyWorld, name: string, password: string): Promise<void> {
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name };
  const data = { password: Buffer.from(password).toString('base64') };
  await world.cluster.patch(ref, { type: 'merge', value: { data } });
}

/** Asks the database of Keystone, as its administrator; gives what the client prints. */
export function keystoneSql(world: JourneyWorld, statement: string): Promise<string> {
  return withDatabase(world, access =>
    runTool(access, 'mariadb', ['--batch', '--skip-column-names', 'keystone'], statement),
  );
}

/** Does some work on the server of Keystone's database, as its administrator. */
export async function withDatabase<T>(
  world: JourneyWorld,
  work: (access: MariadbAccess) => Promise<T>,
): Promise<T> {
  const { environment } = await findMariadb();
  const { address: host, port } = await world.address('mariadb');
  const password = await passwordIn(world, 'mariadb-root');
  const access = await openAccess({ host, port, user: 'root', password }, { ...process.env, ...environment });
  try {
    return await work(access);
  } finally {
    await access.close();
  }
}
