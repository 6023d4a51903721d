import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Clock } from '../../../cluster/clock.ts';
import type { ExecPlan } from '../../isolation/isolation.ts';
import { identityOf } from '../../process/process-identity.ts';
import type { ProcessSweeper } from '../../process/process-sweeper.ts';
import type { ExecResult } from '../containers.ts';
import { executableNotFound } from '../shim/start-error.ts';

const mostOutput = 4096;

interface ExecParts {
  readonly plan: ExecPlan;
  readonly env: Readonly<Record<string, string>>;
  /** The entry of the environment by which what it starts is found. */
  readonly mark: string;
  readonly timeoutSeconds: number;
}

/** Runs a program beside a run, and ends with it whatever it started. */
export async function execInRun(
  parts: ExecParts,
  clock: Clock,
  sweeper: ProcessSweeper,
): Promise<ExecResult> {
  const { plan, mark, timeoutSeconds } = parts;
  const [program = '', ...args] = plan.command;
  const [markName = '', markValue = ''] = mark.split('=');
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...parts.env, [markName]: markValue },
    ...(plan.workingDir === undefined ? {} : { cwd: plan.workingDir }),
    ...(plan.user === undefined ? {} : { uid: plan.user }),
    ...(plan.group === undefined ? {} : { gid: plan.group }),
  });
  const first = child.pid === undefined ? undefined : identityOf(child.pid);
  let output = Buffer.alloc(0);
  const collect = (bytes: Buffer) => {
    output = Buffer.concat([output, bytes]).subarray(-mostOutput);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const within = async (milliseconds: number, event: Promise<unknown>) => {
    const enough = new AbortController();
    await Promise.race([event, clock.sleep(milliseconds, enough.signal)]);
    enough.abort();
  };
  const closed = once(child, 'close').catch(() => {});
  const exited = new Promise<number>(resolve => {
    child.on('exit', (code, signal) => resolve(code ?? 128 + signalNumber(signal)));
    child.on('error', error => {
      const isRefused = 'code' in error && error.code === 'EACCES';
      output = Buffer.from(isRefused ? `exec: "${program}": permission denied` : executableNotFound(program));
      resolve(isRefused ? 126 : 127);
    });
  });
  const stop = new AbortController();
  const timeout = clock.sleep(timeoutSeconds * 1000, stop.signal).then(() => undefined);
  const exitCode = await Promise.race([exited, timeout]);
  stop.abort();
  if (child.pid !== undefined) {
    const family = { mark, ...(first ? { since: first } : {}) };
    // Who waits outside must see its child end: left to the machine's first process, the dead child keeps the container from ending.
    if (exitCode === undefined && plan.waitsOutside) await sweeper.end({ ...family, except: child.pid });
    else if (exitCode === undefined) await sweeper.end({ ...family, leader: child.pid });
    await within(200, exited);
    await sweeper.end(family);
    // All that could write has ended, but for what hid from us: that is not waited for.
    await within(200, closed);
  }
  child.stdout.destroy();
  child.stderr.destroy();
  return { exitCode: exitCode ?? 137, output: output.toString('utf8'), timedOut: exitCode === undefined };
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}
