import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Turns itself into the program, after leaving a watchdog behind in the same process group. The watchdog reads a pipe
 * whose other end only our process holds. However that process ends, kill -9 included, the kernel closes the pipe, the
 * read returns, and the watchdog kills the group it is in.
 *
 * Why so: a parent-death signal (`setpriv --pdeathsig`) fires when the thread that started the program ends, which is
 * too early in a worker thread, and is lost when the parent dies before it is set. Polling a process id is slow and
 * must guard against reused ids. A pipe is neither early, late nor mistaken, and needs nothing but sh. `kill -9 0`
 * can only ever hit the watchdog's own group.
 */
const watchdog = 'exec 3<&0 </dev/null; (read -r _ <&3; kill -9 0) >/dev/null 2>&1 & exec "$@" 3<&-';

/** How to start a program. */
export interface Start {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Everything the program says is added to this file. */
  readonly logFile: string;
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A program that does not outlive us. */
export interface WatchedProcess {
  readonly name: string;
  readonly pid: number;
  /** How it ended, for people; undefined while it runs. */
  ended(): string | undefined;
  /** Waits for its end: true when it ended well. */
  end(): Promise<boolean>;
  /** Ends it and all it started with kill -9; returns when it is gone. Safe to call again. */
  kill(): Promise<void>;
  /** The last lines it said. */
  lastWords(): Promise<string>;
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C at the terminal is ours to handle. It dies with us.
 * Our process may end while it runs; only who waits for its end is kept waiting.
 */
export async function startWatched(start: Start): Promise<WatchedProcess> {
  const log = openSync(start.logFile, 'a');
  const child = spawn('/bin/sh', ['-c', watchdog, 'watchdog', start.program, ...start.arguments], {
    detached: true,
    cwd: start.folder,
    env: { ...process.env, ...start.environment },
    stdio: ['pipe', log, log],
  });
  closeSync(log); // the child has its own
  const end = endOf(child);
  await Promise.race([once(child, 'spawn'), end]);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${start.name} could not be started: /bin/sh is missing`);
  child.unref();
  const waitForEnd = () => {
    child.ref(); // or Node, with nothing else to do, would end in the middle of this wait
    return end;
  };
  return {
    name: start.name,
    pid,
    ended: () => endText(child),
    end: waitForEnd,
    kill: async () => {
      if (endText(child) === undefined) killGroup(pid);
      await waitForEnd();
    },
    lastWords: () => lastLines(start.logFile),
  };
}

async function endOf(child: ChildProcess): Promise<boolean> {
  try {
    // Node has not waited for the child before this event, so until then its id cannot be somebody else's.
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    return false;
  } finally {
    child.stdin?.destroy(); // sends the watchdog home
  }
}

function endText(child: ChildProcess): string | undefined {
  if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
  return child.exitCode === null ? undefined : `ended with exit code ${child.exitCode}`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended between the look and the kill.
  }
}

async function lastLines(file: string, count = 20): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
