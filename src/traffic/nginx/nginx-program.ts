import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';

const run = promisify(execFile);
const runMilliseconds = 30_000;
const reloadMilliseconds = 20_000;

/** An nginx that runs on this machine, seen by its processes. */
export class NginxProgram {
  readonly #command: readonly string[];
  readonly #pidFile: string;
  readonly #clock: Clock;

  /** `command`: the program with what names its configuration, such as `nginx -c /etc/nginx/nginx.conf`. */
  constructor(command: readonly string[], pidFile: string, clock: Clock = systemClock) {
    this.#command = command;
    this.#pidFile = pidFile;
    this.#clock = clock;
  }

  /** Its workers, as `<pid>:<start>`: a number alone may be somebody else's later. Those that end are among them. Throws `Unreachable`. */
  async workers(): Promise<readonly string[]> {
    const master = Number.parseInt(await readFile(this.#pidFile, 'utf8').catch(() => ''), 10);
    const children = Number.isNaN(master)
      ? undefined
      : await readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(() => undefined);
    if (children === undefined)
      throw new ClusterError(
        'Unreachable',
        `nginx does not run: ${this.#pidFile} names no process of this machine`,
      );
    const pids = children.trim().split(/\s+/).filter(Boolean);
    const known = await Promise.all(
      pids.map(async pid => ((await isNginx(pid)) ? identityOf(pid) : undefined)),
    );
    return known.filter(one => one !== undefined);
  }

  /** Those of these processes that are still there. */
  async alive(workers: readonly string[]): Promise<readonly string[]> {
    const now = await Promise.all(workers.map(one => identityOf(one.split(':')[0] ?? '')));
    return workers.filter((one, index) => one === now[index]);
  }

  /** Throws `Invalid` with what is wrong where nginx would not start with its files as they are. */
  async test(): Promise<void> {
    await this.#run('-t');
  }

  /** Has the files read anew. Returns when a worker runs that is none of `before`; throws `Invalid` where none comes: the old ones serve on. */
  async reload(before: readonly string[]): Promise<void> {
    await this.#run('-s', 'reload');
    const end = this.#clock.monotonic() + reloadMilliseconds;
    while (!(await this.workers()).some(one => !before.includes(one))) {
      if (this.#clock.monotonic() > end)
        throw new ClusterError(
          'Invalid',
          'nginx does not take its files (its error log says why) and serves on as before',
        );
      await this.#clock.sleep(20);
    }
  }

  async #run(...words: readonly string[]): Promise<void> {
    const [program = 'nginx', ...rest] = this.#command;
    try {
      await run(program, [...rest, ...words], { timeout: runMilliseconds });
    } catch (error) {
      const { stderr = '', message } = error as Error & { stderr?: string };
      const line = stderr.split('\n').find(one => one.includes('[emerg]')) ?? message.split('\n')[0] ?? '';
      throw new ClusterError('Invalid', `nginx refuses: ${line.replace(/^nginx: /, '')}`, { cause: error });
    }
  }
}

/** A process and when it began, in ticks since the machine did; undefined where it is gone or has ended. */
async function identityOf(pid: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name may hold blanks and brackets: fields are counted from its end.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return fields[19] === undefined || fields[0] === 'Z' ? undefined : `${pid}:${fields[19]}`;
}

/** Whoever started nginx may have left other children to it. */
async function isNginx(pid: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).startsWith('nginx: ');
}
