/** Keystone of a Debian root without any operator: its settings, its commands, its server. Needs root. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';

const run = promisify(execFile);

/** What all Keystones of one cloud share: a folder with settings and keys, and the folder of MariaDB's socket. */
export interface KeystonePlace {
  readonly folder: string;
  readonly database: string;
}

export const keystonePassword = 'of-a-test';

/** The program that Debian's Keystone is served by. */
const usualProgram = '/usr/bin/keystone-wsgi-public';

/** Writes the settings. The database `keystone` must be there. */
export async function layOutKeystone({ folder }: KeystonePlace): Promise<void> {
  await mkdir(join(folder, 'etc'), { recursive: true });
  await mkdir(join(folder, 'db'), { recursive: true });
  await writeFile(join(folder, 'etc', 'keystone.conf'), settings);
}

/** Makes schema, keys and the first administrator, with the software of a root. */
export function setUpKeystone(root: string, place: KeystonePlace, url: string): Promise<void> {
  const who = '--keystone-user root --keystone-group root';
  return runInRoot(
    root,
    place,
    [
      'mkdir -m 700 -p /mnt/fernet /mnt/receipts /mnt/credential',
      'keystone-manage db_sync',
      `keystone-manage fernet_setup ${who}`,
      `keystone-manage receipt_setup ${who}`,
      `keystone-manage credential_setup ${who}`,
      `keystone-manage bootstrap --bootstrap-password ${keystonePassword} --bootstrap-public-url ${url}/v3`,
    ].join(' && '),
  );
}

/** Runs a script in a root, with the settings of a cloud. */
export async function runInRoot(root: string, place: KeystonePlace, script: string): Promise<void> {
  await run('unshare', wordsInRoot(root, place, script), { maxBuffer: 1 << 26 });
}

/** One server that runs. */
export interface KeystoneServer {
  /** The process that all of it is below. */
  readonly child: ChildProcess;
  /** Ends it: with SIGKILL at once; with SIGTERM as `systemctl stop` does, which cuts what is in flight. Returns when its port is free. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts a server at a port of loopback, and waits until it answers. */
export async function startKeystone(
  root: string,
  place: KeystonePlace,
  { port, program = usualProgram }: { readonly port: number; readonly program?: string },
): Promise<KeystoneServer> {
  const child = spawn('unshare', await serverWords(root, place, { port, program }), { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/v3`;
  try {
    await waitUntil('Keystone to answer', 180, async () => {
      if (child.exitCode !== null) throw new Error(await readFile(join(place.folder, `log-${port}`), 'utf8'));
      return answers(url);
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    child,
    async stop(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise(resolve => child.once('exit', resolve));
      // The first process of its namespace: all of Keystone goes with it.
      if (signal === 'SIGKILL') child.kill(signal);
      else process.kill(await firstInside(child.pid ?? 0), signal);
      await gone;
      // It goes a moment later, and until then nobody else can have its port.
      await waitUntil('Keystone to be gone', 60, async () => !(await answers(url)));
    },
  };
}

/** The words for `unshare` that are a server at a port. */
export async function serverWords(
  root: string,
  place: KeystonePlace,
  { port, program = usualProgram }: { readonly port: number; readonly program?: string },
): Promise<string[]> {
  await writeFile(join(place.folder, `uwsgi-${port}.ini`), uwsgi(port, program));
  return wordsInRoot(root, place, `exec uwsgi_python3 --ini /mnt/uwsgi-${port}.ini >/mnt/log-${port} 2>&1`);
}

const answers = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );

async function firstInside(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}

/** The words for `unshare` that run a script in the root, with mounts that nobody else sees. */
export function wordsInRoot(root: string, { folder, database }: KeystonePlace, script: string): string[] {
  const mounts = [
    `mount --bind ${folder} ${root}/mnt`,
    `mount --bind ${database} ${root}/mnt/db`,
    `mount --bind ${folder}/etc ${root}/etc/keystone`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
  ].join(' && ');
  return [
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

function uwsgi(port: number, program: string): string {
  const flags = ['master', 'lazy-apps', 'need-app', 'thunder-lock', 'no-orphans', 'enable-threads'];
  return [
    ...['[uwsgi]', 'plugins = python3', ...[...flags, 'die-on-term'].map(flag => `${flag} = true`)],
    ...['processes = 2', 'threads = 4', 'buffer-size = 65535'],
    ...[`wsgi-file = ${program}`, `http-socket = 127.0.0.1:${port}`],
    // A connection that is kept would keep a thread: whoever wants to keep some needs a router in front.
    ...['add-header = Connection: close', ''],
  ].join('\n');
}
