import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access as canRead, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CodedError } from '../../../base/coded-error.ts';
import { type MariadbTarget, openAccess, runTool, type ToolEnvironment } from './mariadb-access.ts';

const run = promisify(execFile);
const startSeconds = 120;

/** The server dies with us, however we do: it shares a group with one who reads a pipe that only we hold, and kills the group at its end. */
const watched = 'exec 3<&0 </dev/null; (read -r _ <&3; kill -9 0) >/dev/null 2>&1 & exec "$@" 3<&-';

/** Nothing of it is worth keeping, so nothing waits for a disk. */
const carelessWords = [
  ...['--innodb-flush-method=nosync', '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0'],
  ...['--skip-log-bin', '--skip-networking', '--innodb-strict-mode=0'],
];

/** A server that nobody else knows of. */
export interface ThrowAwayServer {
  readonly target: MariadbTarget;
  readonly pid: number;
  /** Kills it as a crash would; its data stays, and `start` brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Kills it and removes all it had. Safe to call again. */
  remove(): Promise<void>;
}

/** How a server is started. */
export interface ThrowAwayOptions {
  readonly environment?: ToolEnvironment;
  /** Where its folder is made; it is removed with it. */
  readonly under?: string;
  /** Instead of what makes it fast and forgetful. */
  readonly words?: readonly string[];
}

/** Starts a MariaDB server of our own with nothing in it: root without a password, on a socket in a private folder. */
export async function startThrowAwayServer(options: ThrowAwayOptions = {}): Promise<ThrowAwayServer> {
  const { environment = process.env, under = tmpdir(), words = carelessWords } = options;
  const folder = await mkdtemp(join(under, 'afloat-server-'));
  try {
    const shared = [...(await places(environment)), `--datadir=${join(folder, 'data')}`, ...asUser()];
    await mkdir(join(folder, 'data'));
    await install(environment, shared);
    const socket = join(folder, 'socket');
    const own = [`--socket=${socket}`, `--pid-file=${join(folder, 'pid')}`, '--max-allowed-packet=1G'];
    return await started(folder, {
      target: { socket, user: 'root' },
      environment,
      words: [...shared, ...own, ...words],
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface ServerStart {
  readonly target: MariadbTarget;
  readonly environment: ToolEnvironment;
  readonly words: readonly string[];
}

async function started(folder: string, server: ServerStart): Promise<ThrowAwayServer> {
  let child: ChildProcess | undefined;
  const kill = async () => {
    const { pid } = child ?? {};
    if (!child || pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref(); // or Node, with nothing else to do, would end in the middle of this wait
    const gone = once(child, 'exit');
    process.kill(-pid, 'SIGKILL');
    await gone;
  };
  const start = async () => {
    const log = join(folder, 'log');
    const words = ['--no-defaults', ...server.words, `--log-error=${log}`];
    child = spawn('/bin/sh', ['-c', watched, 'watched', 'mariadbd', ...words], {
      detached: true,
      env: server.environment as NodeJS.ProcessEnv,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.unref();
    await answers(server, child, log);
  };
  const remove = async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    target: server.target,
    get pid() {
      return child?.pid ?? 0;
    },
    kill,
    start,
    remove,
  };
}

async function answers(
  { target, environment }: ServerStart,
  child: ChildProcess,
  log: string,
): Promise<void> {
  const access = await openAccess(target, environment);
  const deadline = performance.now() + startSeconds * 1000;
  try {
    for (;;) {
      try {
        await runTool(access, 'mariadb', ['--batch'], 'SELECT 1;\n');
        return;
      } catch (cause) {
        const over = child.exitCode !== null || child.signalCode !== null || performance.now() > deadline;
        if (!over) {
          await sleep(50);
          continue;
        }
        const said = await readFile(log, 'utf8').catch(() => '');
        const last = said.trim().split('\n').slice(-3).join(' | ').slice(-500);
        throw new CodedError('ThrowAwayServerFailed', `a throw-away server did not start: ${last}`, {
          cause,
        });
      }
    }
  } finally {
    await access.close();
  }
}

async function install(environment: ToolEnvironment, words: readonly string[]): Promise<void> {
  const more = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'];
  try {
    await run('mariadb-install-db', ['--no-defaults', ...words, ...more], {
      env: environment as NodeJS.ProcessEnv,
    });
  } catch (cause) {
    throw new CodedError('ThrowAwayServerFailed', 'a throw-away server could not be made', { cause });
  }
}

/** Where the server's own files are: beside it, wherever it was unpacked. */
async function places({ PATH = '' }: ToolEnvironment): Promise<string[]> {
  for (const folder of PATH.split(delimiter)) {
    const there = await canRead(join(folder, 'mariadbd')).then(
      () => true,
      () => false,
    );
    if (!there) continue;
    const base = dirname(folder);
    const [messages, plugins] = [join(base, 'share/mysql'), join(base, 'lib/mysql/plugin')];
    return [`--basedir=${base}`, `--lc-messages-dir=${messages}`, `--plugin-dir=${plugins}`];
  }
  throw new CodedError(
    'DatabaseToolMissing',
    'mariadbd is not there: the proof of a backup needs a server of its own',
  );
}

/** It does not run as root unless told to. */
function asUser(): string[] {
  return process.getuid?.() === 0 ? [`--user=${userInfo().username}`] : [];
}
