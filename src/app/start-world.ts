import { join } from 'node:path';
import { CodedError } from '../base/coded-error.ts';
import { systemClock } from '../cluster/clock.ts';
import { connectWorld } from './connect-world.ts';
import { DetachedProgram } from './detached-program.ts';
import { type EmbeddedWorld, makeStateFolder, openEmbeddedWorld } from './embedded-world.ts';
import { isManagerAlive, type ManagerNote, readManagerNote, sayRunning } from './manager-note.ts';
import type { UpRequest } from './operator-verbs.ts';
import { stateFiles, stateFolderOf } from './state-folder.ts';
import { thisMachine } from './this-machine.ts';

/** Starts the operator on a world that is open; returns when it works. It ends with the signal. */
export type StartOperator = (
  world: EmbeddedWorld,
  options: {
    readonly signal: AbortSignal;
    readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
    readonly stateFolder: string;
    readonly routers?: string;
  },
) => Promise<{ readonly ended: Promise<void> }>;

/** Opens the world of a state folder in this process, tells where it is, and stays until the signal says stop. */
export async function startHere(
  request: UpRequest,
  tell: (line: string) => void,
  signal: AbortSignal,
  startOperator: StartOperator | undefined,
): Promise<void> {
  const { state, isolation, routers } = request;
  const stateFolder = stateFolderOf(state);
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
    operator = await startOperator?.(world, {
      ...{ signal: both, onTrouble, stateFolder },
      ...(routers === undefined ? {} : { routers }),
    });
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

/**
 * Starts the same program once more, on its own, and returns when it answers; where one runs already it says so and leaves it. Throws
 * what the other process said it could not start for, or `NotUp` where it said nothing.
 */
export async function startDetached(request: UpRequest, tell: (line: string) => void): Promise<void> {
  const { state, isolation, routers } = request;
  const stateFolder = stateFolderOf(state);
  if (await answers(stateFolder)) return tellRunning(stateFolder, tell);
  await makeStateFolder(stateFolder);
  const log = join(stateFolder, 'manager.log');
  const words = [
    'up',
    '--state',
    stateFolder,
    ...(isolation === undefined ? [] : ['--isolation', isolation]),
    ...(routers === undefined ? [] : ['--routers', routers]),
  ];
  const child = new DetachedProgram(words, log);
  const deadline = systemClock.monotonic() + startSeconds * 1000;
  while (systemClock.monotonic() < deadline) {
    // Of two that are started at once one gets the folder, and the other one ends.
    if (await answers(stateFolder)) {
      if ((await managerOf(stateFolder))?.pid !== child.pid) return tellRunning(stateFolder, tell);
      tell(`up as process ${child.pid}, in ${stateFolder}; its output goes to ${log}`);
      return;
    }
    if (child.end !== undefined && !(await managerOf(stateFolder))) break;
    await systemClock.sleep(50);
  }
  throw await child.failure(`no answer after ${startSeconds} s`);
}

async function managerOf(stateFolder: string): Promise<ManagerNote | undefined> {
  const note = await readManagerNote(stateFiles(stateFolder).manager);
  return note && isManagerAlive(note) ? note : undefined;
}

async function tellRunning(stateFolder: string, tell: (line: string) => void): Promise<void> {
  const note = await managerOf(stateFolder);
  tell(note ? sayRunning(stateFolder, note) : `afloat is up already for ${stateFolder}`);
  tell('see what it does with: afloat status; end it with: afloat down');
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
