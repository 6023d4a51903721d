/** A cloud of real services in which HAProxy, itself one of them, brings clients to Keystone. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { composeOne } from '../../scripts/openstack/packages/compose-packages.ts';
import { findRoots } from '../../scripts/openstack/roots/find-roots.ts';
import { MasterCli } from '../../src/traffic/haproxy/master-cli.ts';
import { embeddedPlace, type JourneyPlace } from '../journeys/engine/journey-place.ts';
import { type JourneyWorld, openJourneyWorld } from '../journeys/engine/journey-world.ts';
import { processesWith } from '../journeys/runtime/our-processes.ts';
import { keystoneVersions, patience } from './keystone-world.ts';

const run = promisify(execFile);
const { first, patched, next } = keystoneVersions;
const keystonePort = 5000;
const healthPort = 8404;
const composed = [
  ['mariadb', '10.11'],
  ['memcached', '1.6.18'],
  ['haproxy', '2.6.12'],
  ['keystone', first],
  ['keystone', patched],
  ['keystone', next],
] as const;
const roots = [
  'mariadb',
  'memcached',
  'haproxy',
  ...[first, patched, next].map(version => `keystone-${version}`),
];

/** The cloud, and its HAProxy as far as a story meddles with it. */
export interface RoutedKeystone {
  readonly world: JourneyWorld;
  /** Says which version of Keystone the cloud shall have. */
  apply(version: string): Promise<void>;
  /** Changes a setting of HAProxy, and waits until another one has it. */
  replaceHaproxy(): Promise<void>;
  /** Ends HAProxy, master and workers, with kill -9; waits until another one answers, and gives the milliseconds that took. */
  killHaproxy(): Promise<number>;
  close(): Promise<void>;
}

/** Opens one with the first version of Keystone. */
export async function openRoutedKeystone(): Promise<RoutedKeystone> {
  await findRoots(roots);
  const addresses = await takeAddresses(4);
  const [address = '', ...previewAddresses] = addresses;
  let shared = '';
  let wanted: string = first;
  let connections = 2000;
  const openPlace = async (folder: string): Promise<JourneyPlace> => {
    shared = join(folder, 'haproxy');
    const routers = join(folder, 'routers.yaml');
    const haproxy = { ...placesIn(shared), address, previewAddresses };
    await writeFile(routers, stringify({ haproxy }));
    const clientAddress = (service: string) =>
      service === 'keystone' ? { address, port: keystonePort } : undefined;
    return { ...embeddedPlace(folder, { isolation: 'namespaces', routers }), clientAddress };
  };
  let world: JourneyWorld | undefined;
  const close = async () => {
    try {
      await world?.close();
    } finally {
      await giveBack(addresses);
    }
  };
  try {
    const opened = await openJourneyWorld(openPlace);
    world = opened;
    const cloud: RoutedKeystone = {
      world: opened,
      async apply(version) {
        wanted = version;
        await opened.apply(recordOf(version, { folder: shared, healthAddress: address, connections }));
      },
      async replaceHaproxy() {
        connections += 1;
        await cloud.apply(wanted);
        await opened.untilFlowEnds('haproxy', 'operational', patience);
      },
      killHaproxy: () => killHaproxy(opened, shared, address),
      close,
    };
    await install(cloud);
    return cloud;
  } catch (error) {
    await close();
    throw error;
  }
}

async function install({ world, apply }: RoutedKeystone): Promise<void> {
  const folder = join(world.folder, 'composed');
  for (const [service, version] of composed) {
    await composeOne(service, version, { folder, router: 'haproxy' });
    world.takePackage(join(folder, service, version), service, version);
  }
  await apply(first);
  for (const name of ['mariadb', 'memcached', 'haproxy', 'keystone'])
    await world.untilFlowEnds(name, 'operational', patience);
}

function recordOf(
  version: string,
  haproxy: { readonly folder: string; readonly healthAddress: string; readonly connections: number },
) {
  const { healthAddress: address } = haproxy;
  const publicUrl = `http://${address}:${keystonePort}/v3`;
  return {
    soakSeconds: 1,
    services: [
      { name: 'mariadb', version: '10.11' },
      { name: 'memcached', version: '1.6.18' },
      { name: 'haproxy', version: '2.6.12', values: { ...haproxy, healthPort } },
      {
        ...{ name: 'keystone', version, allowUnsupportedJump: true },
        values: { passwordHashRounds: 4, testCalls: 50, publicUrl },
      },
    ],
  };
}

/** Where the package keeps what it shares with Afloat. */
function placesIn(folder: string) {
  return { socket: join(folder, 'master.sock'), folder: join(folder, 'routes') };
}

/** A worker goes with its master, perhaps before its own turn. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killHaproxy(world: JourneyWorld, shared: string, address: string): Promise<number> {
  const { socket } = placesIn(shared);
  const running = processesWith(socket).filter(line => / haproxy /.test(line));
  if (running.length === 0) throw new TypeError('no HAProxy runs');
  const began = performance.now();
  for (const line of running) killIfThere(Number.parseInt(line, 10));
  const gone = (line: string) => !processesWith(socket).includes(line);
  await world.until('HAProxy', async () => {
    const { workers } = await new MasterCli(socket).processes().catch(() => ({ workers: [] }));
    return (
      running.every(gone) && workers.length > 0 && (await answers(`http://${address}:${healthPort}/health`))
    );
  });
  return Math.round(performance.now() - began);
}

const answers = (url: string) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Addresses that this machine gets for as long as the cloud is there, from the range for measurements. Pods must reach them too, so they
 * are none of 127.0.0.0/8.
 */
async function takeAddresses(count: number): Promise<readonly string[]> {
  const net = `198.${randomInt(18, 20)}.${randomInt(0, 256)}`;
  const addresses = Array.from({ length: count }, (_, index) => `${net}.${index + 1}`);
  for (const address of addresses) await run('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
  return addresses;
}

async function giveBack(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) await run('ip', ['address', 'del', `${address}/32`, 'dev', 'lo']);
}
