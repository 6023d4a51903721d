import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/coded-error.ts';
import { systemClock } from '../cluster/clock.ts';
import { connectWorld } from './connect-world.ts';
import { type EmbeddedWorld, makeStateFolder, openEmbeddedWorld } from './embedded-world.ts';
import type { UpRequest } from './operator-verbs.ts';
import { defaultStateFolder } from './state-folder.ts';
import { thisMachine } from './this-machine.ts';

/** Starts the operator on a world that is open; returns when it works. It ends with the signal. */
export type StartOperator = (
  world: EmbeddedWorld,
  options: {
    readonly signal: AbortSignal;
    readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
    readonly stateFolder: string;
  },
) => Promise<{ readonly ended: Promise<void> }>;

/** Opens the world of a state folder in this process, tells where it is, and stays until the signal says stop. */
export async function startHere(
  request: UpRequest,
  tell: (line: string) => void,
  signal: AbortSignal,
  startOperator: StartOperator | undefined,
): Promise<void> {
  const { state: stateFolder = defaultStateFolder(), isolation } = request;
  const onTrouble = (doing: string, error: unknown, waitSeconds?: number) => {
    const again = waitSeconds === undefined ? '' : `; again in ${Math.ceil(waitSeconds)} s`;
    tell(`trouble ${doing}: ${error instanceof Error ? error.message : String(error)}${again}`);
  };
  const began = systemClock.monotonic();
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const world = await openEmbeddedWorld({
    stateFolder,
    signal: both,
    onTrouble,
    ...(isolation === undefined ? {} : { isolation: isolation as 'auto' | 'namespaces' | 'loopback' }),
  });
  let operator: { readonly ended: Promise<void> } | undefined;
  try {
    operator = await startOperator?.(world, { signal: both, onTrouble, stateFolder });
    const milliseconds = Math.round(systemClock.monotonic() - began);
    tell(`up after ${milliseconds} ms: store, runtime${operator ? ' and operator' : ''} in ${stateFolder}`);
    tell(`Pods are kept apart by ${world.runtime.isolation}: ${(await thisMachine()).because}`);
    tell(`objects are served at ${world.address}, to who has the token in ${world.kubeconfig}`);
    tell('Ctrl-C ends this process; the processes of the cloud run on');
  } catch (error) {
    stop.abort();
    await world.ended;
    throw error;
  }
  await operator?.ended;
  await world.ended;
  tell('ended; the processes of the cloud run on');
}

/** How long a world may take until it answers. */
const startSeconds = 60;

/** Starts the same program once more, on its own, and returns when it answers. Throws `NotUp` with its last words where it does not. */
export async function startDetached(request: UpRequest, tell: (line: string) => void): Promise<void> {
  const { state: stateFolder = defaultStateFolder(), isolation } = request;
  if (await answers(stateFolder)) {
    tell(`it runs already, in ${stateFolder}`);
    return;
  }
  await makeStateFolder(stateFolder);
  const log = join(stateFolder, 'manager.log');
  const output = openSync(log, 'a', 0o600);
  const program = process.argv[1] ?? '';
  const words = [
    'up',
    '--state',
    stateFolder,
    ...(isolation === undefined ? [] : ['--isolation', isolation]),
  ];
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let end: string | undefined;
  child.once('exit', (code, signal) => {
    end = signal ?? `exit code ${code}`;
  });
  child.once('error', error => {
    end = error.message;
  });
  child.unref();
  const deadline = systemClock.monotonic() + startSeconds * 1000;
  while (end === undefined && systemClock.monotonic() < deadline) {
    if (await answers(stateFolder)) {
      tell(`up as process ${child.pid}, in ${stateFolder}; its output goes to ${log}`);
      return;
    }
    await systemClock.sleep(50);
  }
  const why = end ?? `no answer after ${startSeconds} s`;
  throw new CodedError('NotUp', `it did not start (${why}): ${await lastLine(log)}`, { details: { log } });
}

async function answers(stateFolder: string): Promise<boolean> {
  try {
    await (await connectWorld({ stateFolder })).close();
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}

async function lastLine(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  return lines.findLast(line => line.startsWith('afloat: ')) ?? lines.at(-1) ?? '';
}
