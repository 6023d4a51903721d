import { existsSync } from 'node:fs';
import { CodedError } from '../base/coded-error.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { signalProcess } from '../runtime/process/process-identity.ts';
import { takeDownRuntime } from '../runtime/take-down.ts';
import { isManagerAlive, type ManagerNote, readManagerNote } from './manager-note.ts';
import { stateFiles } from './state-folder.ts';

/** How far the stop has come. */
export type StopProgress =
  | { readonly doing: 'waiting for the manager'; readonly pid: number; readonly waitedSeconds: number }
  | { readonly doing: 'ending processes' };

export interface StopOptions {
  /** Ends the processes of Pods too. Objects and volumes stay. */
  readonly takeDown: boolean;
  /** How long the manager may take to end. */
  readonly timeoutSeconds?: number;
  /** Told at the beginning of each part, and every second of a wait. */
  readonly onProgress?: (progress: StopProgress) => void;
  readonly clock?: Clock;
}

/** What was there to stop. */
export interface Stopped {
  /** The manager that was told to end, and has ended. */
  readonly manager: ManagerNote | undefined;
  readonly tookDown: boolean;
}

const lookMilliseconds = 50;

/**
 * Tells the manager of a state folder to end, waits until it has, and ends all processes of Pods where that is asked for. Signals nothing
 * but the very process that noted itself. Throws `ManagerStays` where it does not end in time or is not ours to end, `AlreadyUp` where
 * an unknown process has the folder, and what `takeDownRuntime` throws.
 */
export async function stopEmbeddedWorld(stateFolder: string, options: StopOptions): Promise<Stopped> {
  const note = await readManagerNote(stateFiles(stateFolder).manager);
  const manager = note && isManagerAlive(note) ? note : undefined;
  if (manager) await endManager(manager, options);
  const tookDown = options.takeDown && (await takeDown(stateFolder, options));
  return { manager, tookDown };
}

async function endManager(manager: ManagerNote, options: StopOptions): Promise<void> {
  const { timeoutSeconds = 60, onProgress = () => {}, clock = systemClock } = options;
  const { pid } = manager;
  if (!signalProcess(manager, 'SIGTERM') && isManagerAlive(manager)) {
    throw stays(`process ${pid} is not ours to end`, pid);
  }
  const begin = clock.monotonic();
  for (let told = -1; isManagerAlive(manager); ) {
    const waitedSeconds = Math.floor((clock.monotonic() - begin) / 1000);
    if (waitedSeconds >= timeoutSeconds) {
      throw stays(`process ${pid} was told to end ${waitedSeconds} s ago and still runs`, pid);
    }
    if (waitedSeconds > told) onProgress({ doing: 'waiting for the manager', pid, waitedSeconds });
    told = waitedSeconds;
    await clock.sleep(lookMilliseconds);
  }
}

async function takeDown(stateFolder: string, { onProgress, clock }: StopOptions): Promise<boolean> {
  const files = stateFiles(stateFolder);
  if (!existsSync(files.runtime)) return false;
  const lock = await holdStore(stateFolder);
  try {
    onProgress?.({ doing: 'ending processes' });
    await takeDownRuntime(files.runtime, clock);
    return true;
  } finally {
    await lock?.close();
  }
}

/**
 * Keeps managers out while processes are ended: one that starts meanwhile would start them again. A store that cannot be opened, because
 * the disk is full or it is damaged, keeps them out by itself.
 */
async function holdStore(stateFolder: string): Promise<EmbeddedCluster | undefined> {
  const { store } = stateFiles(stateFolder);
  if (!existsSync(store)) return undefined;
  try {
    return await EmbeddedCluster.open(store);
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.code !== 'StoreHeld') return undefined;
    const message = `${stateFolder} is in use by a process that is not in manager.json`;
    throw new CodedError('AlreadyUp', message, { cause, details: { stateFolder } });
  }
}

function stays(message: string, pid: number): CodedError {
  return new CodedError('ManagerStays', message, { details: { pid } });
}
