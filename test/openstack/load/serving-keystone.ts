import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../../scripts/kubernetes/process/free-ports.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { findRoots } from '../../../scripts/openstack/roots/find-roots.ts';
import { type ServingMariadb, startServingMariadb } from '../../../scripts/openstack/serving-mariadb.ts';

/** A real Keystone for tests, alone: no router, no cache, one database. */
export interface ServingKeystone {
  readonly url: string;
  readonly admin: { readonly user: string; readonly password: string; readonly project: string };
  readonly mariadb: ServingMariadb;
  /** Ends it, and starts it anew with this program for uwsgi; all processes are fresh. */
  restart(program: string): Promise<void>;
  /** Ends it and removes all it had. */
  remove(): Promise<void>;
}

const password = 'of-a-test';

/** Starts Keystone of a Debian root, with MariaDB. The root stays as it is: what is written lies in a folder of its own. Needs root. */
export async function startServingKeystone(name: string): Promise<ServingKeystone> {
  const root = (await findRoots([name])).get(name) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'afloat-keystone-'));
  const mariadb = await startServingMariadb();
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const inside = inRoot(root, folder, dirname(mariadb.server.target.socket ?? ''));
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    // The first process of its namespace: all of Keystone goes with it.
    const gone = new Promise(resolve => server?.once('exit', resolve));
    server.kill('SIGKILL');
    await gone;
    // It goes a moment later, and until then nobody else can have its port.
    await waitUntil('Keystone to be gone', 60, () =>
      fetch(`${url}/v3`).then(
        () => false,
        () => true,
      ),
    );
  };
  const start = async (program: string) => {
    await writeFile(join(folder, 'uwsgi.ini'), uwsgi(port, program));
    server = spawn('unshare', inside('exec uwsgi_python3 --ini /mnt/uwsgi.ini >/mnt/log 2>&1'), {
      stdio: 'ignore',
    });
    await waitUntil('Keystone to answer', 180, async () => {
      if (server?.exitCode !== null) throw new Error(await readFile(join(folder, 'log'), 'utf8'));
      return fetch(`${url}/v3`).then(
        ({ status }) => status === 200,
        () => false,
      );
    });
  };
  const remove = async () => {
    await stop();
    await mariadb.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await mkdir(join(folder, 'etc'));
    await mkdir(join(folder, 'db'));
    await writeFile(join(folder, 'etc', 'keystone.conf'), settings);
    await mariadb.sql('CREATE DATABASE keystone CHARACTER SET utf8mb3');
    await promisify(execFile)('unshare', inside(setUp(port)), { maxBuffer: 1 << 26 });
    await start('/usr/bin/keystone-wsgi-public');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ url, admin: { user: 'admin', password, project: 'admin' }, mariadb, remove },
    async restart(program) {
      await stop();
      await writeFile(join(folder, 'wsgi.py'), program);
      await start('/mnt/wsgi.py');
    },
  };
}

/** The words for `unshare` that run a script in the root, with mounts that nobody else sees. */
function inRoot(root: string, folder: string, database: string): (script: string) => string[] {
  const mounts = [
    `mount --bind ${folder} ${root}/mnt`,
    `mount --bind ${database} ${root}/mnt/db`,
    `mount --bind ${folder}/etc ${root}/etc/keystone`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
  ].join(' && ');
  return script => [
    ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec'],
    `${mounts} && exec chroot ${root} /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin USER=root HOME=/root sh -ec '${script}'`,
  ];
}

const settings = `[DEFAULT]
use_stderr = true
[database]
connection = mysql+pymysql://root@localhost/keystone?unix_socket=/mnt/db/socket&charset=utf8
[identity]
password_hash_rounds = 4
[fernet_tokens]
key_repository = /mnt/fernet
[fernet_receipts]
key_repository = /mnt/receipts
[credential]
key_repository = /mnt/credential
`;

function setUp(port: number): string {
  const who = '--keystone-user root --keystone-group root';
  return [
    'mkdir -m 700 -p /mnt/fernet /mnt/receipts /mnt/credential',
    'keystone-manage db_sync',
    `keystone-manage fernet_setup ${who}`,
    `keystone-manage receipt_setup ${who}`,
    `keystone-manage credential_setup ${who}`,
    `keystone-manage bootstrap --bootstrap-password ${password} --bootstrap-public-url http://127.0.0.1:${port}/v3`,
  ].join(' && ');
}

function uwsgi(port: number, program: string): string {
  const flags = ['master', 'lazy-apps', 'need-app', 'thunder-lock', 'no-orphans', 'enable-threads'];
  return [
    ...['[uwsgi]', 'plugins = python3', ...flags.map(flag => `${flag} = true`)],
    ...['processes = 2', 'threads = 4', 'buffer-size = 65535'],
    ...[`wsgi-file = ${program}`, `http-socket = 127.0.0.1:${port}`],
    // A connection that is kept would keep a thread: whoever wants to keep some needs a router in front.
    ...['add-header = Connection: close', ''],
  ].join('\n');
}
