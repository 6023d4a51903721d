/** A cloud of real services on this machine: MariaDB, memcached and Keystone of Debian, each in a root of its own. */
import { join } from 'node:path';
import { findMariadb } from '../../scripts/openstack/find-mariadb.ts';
import { composePackages } from '../../scripts/openstack/packages/compose-packages.ts';
import { findRoots } from '../../scripts/openstack/roots/find-roots.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { openAccess, runTool } from '../../src/data/mariadb/program/mariadb-access.ts';
import { embeddedPlace } from '../journeys/engine/journey-place.ts';
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
}

/** Opens one, with the packages of all versions. Nothing is installed yet. */
export async function openKeystoneWorld(): Promise<JourneyWorld> {
  await findRoots();
  const world = await openJourneyWorld(folder => embeddedPlace(folder, { isolation: 'namespaces' }));
  const composed = join(world.folder, 'composed');
  for (const { service, version } of await composePackages(composed))
    world.takePackage(join(composed, service, version), service, version);
  return world;
}

/** Says that the cloud shall be at this version of Keystone, with a cheap password hash and a shorter test: journeys make many of them. */
export function applyKeystone(
  world: JourneyWorld,
  version: string,
  wish: KeystoneWish = {},
): Promise<number> {
  const { values = {}, ...more } = wish;
  return world.apply({
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

/** Asks the database of Keystone, as its administrator; gives what the client prints. */
export async function keystoneSql(world: JourneyWorld, statement: string): Promise<string> {
  const { environment } = await findMariadb();
  const { address: host, port } = await world.address('mariadb');
  const password = await passwordIn(world, 'mariadb-root');
  const access = await openAccess({ host, port, user: 'root', password }, { ...process.env, ...environment });
  try {
    return await runTool(access, 'mariadb', ['--batch', '--skip-column-names', 'keystone'], statement);
  } finally {
    await access.close();
  }
}
