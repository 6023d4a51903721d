/** Keystone as it is run without us: two servers behind HAProxy, one database, a folder of settings and keys that they share. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findHaproxy } from '../../scripts/find-haproxy.ts';
import { freePorts } from '../../scripts/kubernetes/process/free-ports.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import { startWatched } from '../../scripts/kubernetes/process/watched-process.ts';
import { startServingMariadb } from '../../scripts/openstack/serving-mariadb.ts';
import {
  type KeystonePlace,
  type KeystoneServer,
  keystonePassword,
  layOutKeystone,
  setUpKeystone,
  startKeystone,
} from '../../test/openstack/load/keystone-in-root.ts';

export interface PlainKeystones {
  /** Where clients find HAProxy. */
  readonly url: string;
  readonly admin: { readonly user: string; readonly password: string; readonly project: string };
  readonly place: KeystonePlace;
  readonly ports: readonly number[];
  /** By which HAProxy is told to leave a server out. */
  readonly haproxySocket: string;
  readSql(statement: string): Promise<string>;
  stop(port: number): Promise<void>;
  start(port: number, root: string): Promise<void>;
  /** Ends everything, also servers that others started and whose number is in `pid-<port>`. */
  remove(): Promise<void>;
}

/** Starts them with the software of a root. */
export async function startPlainKeystones(root: string): Promise<PlainKeystones> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-plain-'));
  const mariadb = await startServingMariadb();
  const place = { folder, database: dirname(mariadb.server.target.socket ?? '') };
  const [front = 0, ...ports] = await freePorts(3);
  const url = `http://127.0.0.1:${front}`;
  const servers = new Map<number, KeystoneServer>();
  const ends: (() => Promise<void>)[] = [];
  const start = async (port: number, from: string) => {
    const server = await startKeystone(from, place, { port });
    servers.set(port, server);
    await writeFile(join(folder, `pid-${port}`), `${server.child.pid}\n`);
  };
  const remove = async () => {
    for (const end of ends) await end();
    for (const server of servers.values()) await server.stop();
    for (const port of ports) await endByFile(join(folder, `pid-${port}`));
    await mariadb.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await layOutKeystone(place);
    await mariadb.sql('CREATE DATABASE keystone CHARACTER SET utf8mb3');
    await setUpKeystone(root, place, url);
    for (const port of ports) await start(port, root);
    ends.push(await startHaproxy(folder, front, ports));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ url, admin: { user: 'admin', password: keystonePassword, project: 'admin' }, place, ports },
    haproxySocket: join(folder, 'haproxy.sock'),
    readSql: statement => mariadb.sql(statement, 'keystone'),
    stop: async port => servers.get(port)?.stop('SIGTERM'),
    ...{ start, remove },
  };
}

async function endByFile(file: string): Promise<void> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!pid) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** As operators set it up: a health check every two seconds, and another server where one does not take the connection. */
const haproxyText = (folder: string, front: number, ports: readonly number[]) =>
  `global
  stats socket ${folder}/haproxy.sock mode 600 level admin
defaults
  mode http
  option redispatch
  retries 3
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend keystone
  bind 127.0.0.1:${front}
  default_backend keystone
backend keystone
  balance roundrobin
  option httpchk GET /v3
${ports.map(port => `  server s${port} 127.0.0.1:${port} check inter 2s fall 2 rise 2`).join('\n')}
`;

async function startHaproxy(
  folder: string,
  front: number,
  ports: readonly number[],
): Promise<() => Promise<void>> {
  const found = await findHaproxy();
  if (typeof found === 'string') throw new Error(found);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxyText(folder, front, ports));
  const running = await startWatched({
    ...{ name: 'haproxy', program: found.program, arguments: ['-f', file] },
    ...{ logFile: join(folder, 'haproxy.log'), folder, environment: found.environment },
  });
  await waitUntil('HAProxy to answer', 60, async () => {
    if (running.ended() !== undefined) throw new Error(await running.lastWords());
    return fetch(`http://127.0.0.1:${front}/v3`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return () => running.kill();
}
