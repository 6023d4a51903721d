import { connect, type NetConnectOpts } from 'node:net';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';

/** The processes of one HAProxy. */
export interface HaproxyProcesses {
  /** How often it was reloaded, and whether the last time failed. */
  readonly reloads: number;
  readonly hasFailed: boolean;
  /** Process ids of workers, the one that takes new connections first. */
  readonly workers: readonly number[];
}

const answerMilliseconds = 10_000;
const reloadMilliseconds = 30_000;

/** HAProxy's master process at its socket (`haproxy -W -S <socket>`): it reloads, and hands commands on to every worker. */
export class MasterCli {
  readonly #socket: string;
  readonly #clock: Clock;

  /** `socket`: a path, or `host:port`. */
  constructor(socket: string, clock: Clock = systemClock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  async processes(): Promise<HaproxyProcesses> {
    return readProcesses(await this.#ask('show proc'));
  }

  /** What one worker answers; undefined where it is gone. */
  async worker(pid: number, ...commands: readonly string[]): Promise<string | undefined> {
    const answer = await this.#ask(commands.map(command => `@!${pid} ${command}`).join(';'));
    return answer.startsWith("Can't find the target") ? undefined : answer;
  }

  /** Has the files read anew. Returns when a new worker runs; throws `Invalid` where it could not start: the old one serves on. */
  async reload(): Promise<void> {
    const before = await this.processes();
    // The master becomes a new program in the middle of this connection.
    await this.#ask('reload').catch(() => {});
    const end = this.#clock.monotonic() + reloadMilliseconds;
    for (;;) {
      const now = await this.processes().catch(() => undefined);
      const [newest] = now?.workers ?? [];
      if (now?.hasFailed && now.reloads > before.reloads)
        throw new ClusterError(
          'Invalid',
          'HAProxy refuses its files (its log says why) and serves on as before',
        );
      if (newest !== undefined && !before.workers.includes(newest)) return;
      if (this.#clock.monotonic() > end)
        throw new ClusterError('Unreachable', `HAProxy at ${this.#socket} was told to reload and did not`);
      await this.#clock.sleep(20);
    }
  }

  #ask(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) => {
        const message = `HAProxy does not answer at ${this.#socket} (${(cause as NodeJS.ErrnoException).code ?? cause.message})`;
        reject(new ClusterError('Unreachable', message, { cause }));
      };
      const socket = connect(placeOf(this.#socket));
      let text = '';
      socket.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      socket.setTimeout(answerMilliseconds, () =>
        socket.destroy(new ClusterError('Timeout', `no answer for ${answerMilliseconds} ms`)),
      );
      socket.once('error', fail);
      socket.once('end', () => resolve(text));
      socket.once('close', () => fail(new ClusterError('Unreachable', 'the connection was cut')));
      socket.end(`${command}\n`);
    });
  }
}

/** Reads what `show proc` says: the worker with the fewest reloads behind it is the one that takes new connections. */
export function readProcesses(text: string): HaproxyProcesses {
  const rows = text
    .split('\n')
    .map(line => /^(\d+)\s+(\w+)\s+(\d+)(?: \[failed: (\d+)\])?/.exec(line))
    .filter(row => row !== null);
  const master = rows.find(row => row[2] === 'master');
  if (!master)
    throw new ClusterError('Invalid', 'what answers is no HAProxy master: start HAProxy with -W and -S');
  const workers = rows.filter(row => row[2] === 'worker').sort((a, b) => Number(a[3]) - Number(b[3]));
  return {
    reloads: Number(master[3]),
    hasFailed: Number(master[4] ?? 0) > 0,
    workers: workers.map(row => Number(row[1])),
  };
}

function placeOf(socket: string): NetConnectOpts {
  const [, host, port] = /^([^/]+):(\d+)$/.exec(socket) ?? [];
  return host === undefined
    ? { path: socket }
    : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
