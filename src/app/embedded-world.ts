import manifest from '../../package.json' with { type: 'json' };
import { CodedError } from '../base/coded-error.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { identityOf } from '../runtime/process/process-identity.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../runtime/runtime.ts';
import { startServer } from '../server/server.ts';
import type { Wire } from '../server/wire/start-wire.ts';
import { ensureNamespace } from './ensure-namespace.ts';
import { makeFolder } from './make-folder.ts';
import {
  type ManagerNote,
  portOf,
  readManagerNote,
  sayRunning,
  waitForManager,
  writeManagerNote,
} from './manager-note.ts';
import { stateFiles } from './state-folder.ts';

export interface EmbeddedWorldOptions {
  /** Everything is kept here: objects, processes, and how to reach them. Made where it is not there. */
  readonly stateFolder: string;
  /** Lets go of everything; the processes of Pods run on, and the next one takes them up. */
  readonly signal: AbortSignal;
  /** Told of everything that went wrong and is tried again. */
  readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
  readonly isolation?: RuntimeOptions['isolation'];
}

/** A cluster of one machine at work. */
export interface EmbeddedWorld {
  readonly cluster: EmbeddedCluster;
  readonly runtime: Runtime;
  /** Where the objects are served, on loopback. */
  readonly address: string;
  readonly port: number;
  /** The file with which commands and kubectl connect. */
  readonly kubeconfig: string;
  /** See `ensureNamespace`. */
  ensureNamespace(name: string): Promise<StoredObject>;
  /** After the signal: this process does nothing more for the folder. */
  readonly ended: Promise<void>;
}

/**
 * Opens the world of a state folder: the store with our kinds as this version defines them, the runtime, the server. Returns when
 * commands can connect. Throws `AlreadyUp` where another process has the folder, and what store, runtime and server throw; then
 * nothing is left open, and what ran before runs on.
 */
export async function openEmbeddedWorld(options: EmbeddedWorldOptions): Promise<EmbeddedWorld> {
  const { stateFolder, onTrouble } = options;
  const files = stateFiles(stateFolder);
  await makeStateFolder(stateFolder);
  const before = await readManagerNote(files.manager);
  const cluster = await openStore(stateFolder, onTrouble);
  // Not the caller's signal: what is half open is opened to the end before it is let go of.
  const stop = new AbortController();
  const opened: { runtime?: Runtime; wire?: Wire } = {};
  try {
    const { isolation = 'auto' } = options;
    const folder = files.runtime;
    const runtime = await startRuntime({ cluster, folder, signal: stop.signal, isolation, onTrouble });
    opened.runtime = runtime;
    const wire = await startServer({
      cluster,
      kinds: () => cluster.kinds(),
      logs: (of, query) => runtime.podLogs(of, query),
      // The same as last time where it can be had: who follows the objects goes on where it was.
      port: before ? portOf(before) : 0,
      kubeconfig: files.kubeconfig,
      identity: files.identity,
      signal: stop.signal,
      onTrouble,
    });
    opened.wire = wire;
    const note = noteOf(wire);
    await writeManagerNote(files.manager, note);
    return {
      cluster,
      runtime,
      address: wire.address,
      port: wire.port,
      kubeconfig: files.kubeconfig,
      ensureNamespace: name => ensureNamespace(cluster, name),
      ended: afterSignal(options.signal).then(async () => {
        stop.abort();
        try {
          await Promise.all([wire.ended, runtime.ended]);
        } finally {
          await noteEnd(files.manager, note, onTrouble);
          await cluster.close();
        }
      }),
    };
  } catch (error) {
    stop.abort();
    await Promise.all([opened.wire?.ended, opened.runtime?.ended]);
    await cluster.close();
    throw error;
  }
}

async function afterSignal(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
}

/** Without it the next one finds that this process is gone, which is as true and less polite. */
async function noteEnd(
  file: string,
  note: ManagerNote,
  onTrouble: EmbeddedWorldOptions['onTrouble'],
): Promise<void> {
  try {
    await writeManagerNote(file, { ...note, endedAt: new Date().toISOString() });
  } catch (error) {
    onTrouble('noting the end', error);
  }
}

/** Makes the folder that everything is kept in; throws `FileUnwritable` where that cannot be. */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    // Others may pass through: programs of Pods that run as another user have their files below.
    await makeFolder(folder, 0o711);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CodedError('FileUnwritable', `${folder} cannot be made (${code})`, { cause });
  }
}

/** The lock of the store is what keeps a second manager out; the note only says who has it. */
async function openStore(
  stateFolder: string,
  onTrouble: EmbeddedWorldOptions['onTrouble'],
): Promise<EmbeddedCluster> {
  try {
    return await EmbeddedCluster.open(stateFiles(stateFolder).store, {
      onTrouble: error => onTrouble('looking after the store', error),
    });
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.code !== 'StoreHeld') throw cause;
    const note = await waitForManager(stateFiles(stateFolder).manager);
    const message = note ? sayRunning(stateFolder, note) : `${cause.message}, which just starts or ends`;
    throw new CodedError('AlreadyUp', message, {
      cause,
      details: { stateFolder, ...(note ? { pid: note.pid, startedAt: note.startedAt } : {}) },
    });
  }
}

function noteOf({ address }: Wire): ManagerNote {
  const identity = identityOf(process.pid);
  if (!identity) throw new CodedError('Bug', `the machine does not know this process (${process.pid})`);
  return { ...identity, address, startedAt: new Date().toISOString(), version: manifest.version };
}
