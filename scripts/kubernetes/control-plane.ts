import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiCall, apiCall } from './api-call.ts';
import type { Programs } from './build/parts.ts';
import type { Authority } from './certificate/authority.ts';
import {
  apiServerArguments,
  type ControlPlaneAddresses,
  type ControlPlanePlace,
  controllerManagerArguments,
  etcdArguments,
  loopbackPlace,
} from './control-plane-arguments.ts';
import { type ControlPlaneFiles, writeControlPlaneFiles } from './control-plane-files.ts';
import type { Access } from './kubeconfig.ts';
import { freePorts } from './process/free-ports.ts';
import { makeRunFolder } from './process/run-folder.ts';
import { startWatched, type WatchedProcess } from './process/watched-process.ts';
import { whenReady } from './process/when-ready.ts';

export interface ControlPlaneOptions {
  readonly programs: Programs;
  /** etcd syncs every write to disk, as it does in earnest. Only for tests that pull the plug. */
  readonly durable?: boolean;
  /** More flags for the API server, for example a short compaction interval. */
  readonly apiServerArguments?: readonly string[];
  /** More flags for etcd. */
  readonly etcdArguments?: readonly string[];
  /**
   * Done when the API server is ready and the controllers are not there yet. Garbage collection learns of kinds when it
   * starts, and of later ones only half a minute after.
   */
  readonly beforeControllers?: (call: ApiCall) => Promise<unknown>;
  /** Where the folder is made, instead of the system's temp folder. */
  readonly parentFolder?: string;
  /** A folder that is there already; who made it removes it. */
  readonly folder?: string;
  /** Elsewhere than on loopback: inside the namespaces of a whole node. */
  readonly place?: ControlPlanePlace;
}

/** A running control plane. Its processes die with this one, whatever happens to it. */
export interface ControlPlane {
  /** Everything of this run: data, keys, kubeconfigs, one log a process. */
  readonly folder: string;
  readonly server: string;
  /** Where etcd answers, in plain HTTP: for tests that compact or count behind the API server's back. */
  readonly etcd: string;
  readonly caFile: string;
  /** Path; a member of system:masters by client certificate. */
  readonly kubeconfig: string;
  readonly admin: Access;
  readonly adminToken: string;
  /** Issues certificates that the API server believes. */
  readonly authority: Authority;
  /** The processes that run now, by name. */
  processes(): Readonly<Record<string, number>>;
  /** kill -9; returns when it is gone. */
  killApiServer(): Promise<void>;
  /** On the same port, after it was killed; returns when it is ready. etcd must be up. */
  startApiServer(): Promise<void>;
  killEtcd(): Promise<void>;
  /** On the same port and data, after it was killed; returns when it is healthy. */
  startEtcd(): Promise<void>;
  /** Ends everything and removes the folder. Safe to call again. */
  stop(): Promise<void>;
}

/**
 * Starts etcd, API server and controller manager on free ports of 127.0.0.1 with keys of their own, in about three
 * seconds. Ready means: the API server says so, and the controllers have begun to act. When a start fails, nothing
 * is left and the error holds the end of the log of whoever failed.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const folder = options.folder ?? (await makeRunFolder(options.parentFolder));
  const running = new Map<string, WatchedProcess>();
  const stop = async () => {
    await Promise.all([...running.values()].map(one => one.kill()));
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await start(options, folder, running)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: ControlPlaneOptions,
  folder: string,
  running: Map<string, WatchedProcess>,
): Promise<Omit<ControlPlane, 'stop'>> {
  const { place = loopbackPlace } = options;
  const [apiServer = 0, etcd = 0, etcdPeer = 0] = await freePorts(3);
  const at: ControlPlaneAddresses = { place, apiServer, etcd, etcdPeer };
  const etcdServer = `http://${place.address}:${etcd}`;
  const files = await writeControlPlaneFiles(folder, at);
  const call = apiCall(files.admin);

  const run = launcher({ programs: options.programs, folder, place }, running);
  const startEtcd = async () => {
    const flags = etcdArguments(folder, at, options.durable ?? false);
    const started = await run('etcd', [...flags, ...(options.etcdArguments ?? [])]);
    await whenReady(started, 'etcd answers', async () => (await fetch(`${etcdServer}/health`)).ok);
  };
  const startApiServer = async () => {
    const flags = [...apiServerArguments(files, at), ...(options.apiServerArguments ?? [])];
    const started = await run('kube-apiserver', flags);
    await whenReady(
      started,
      'the API server is ready',
      async () => (await call('GET', '/readyz')).status === 200,
    );
  };
  const kill = async (name: string) => running.get(name)?.kill();

  await Promise.all([startEtcd(), startApiServer()]); // the API server waits for etcd by itself
  await options.beforeControllers?.(call);
  await startControllers(run, files, call);
  return {
    folder,
    server: files.admin.server,
    etcd: etcdServer,
    caFile: files.caFile,
    kubeconfig: files.kubeconfig,
    admin: files.admin,
    adminToken: files.adminToken,
    authority: files.authority,
    processes: () => idsOf(running),
    killApiServer: () => kill('kube-apiserver'),
    startApiServer,
    killEtcd: () => kill('etcd'),
    startEtcd,
  };
}

type Launch = (name: keyof Programs, flags: readonly string[]) => Promise<WatchedProcess>;

function launcher(
  { programs, folder, place }: { programs: Programs; folder: string; place: ControlPlanePlace },
  running: Map<string, WatchedProcess>,
): Launch {
  return async (name, flags) => {
    if (name in idsOf(running)) throw new Error(`${name} runs already`);
    const [program = '', ...words] = [...place.enter, programs[name], ...flags];
    const started = await startWatched({
      name,
      program,
      arguments: words,
      logFile: join(folder, `${name}.log`),
      folder,
    });
    running.set(name, started);
    return started;
  };
}

async function startControllers(run: Launch, files: ControlPlaneFiles, call: ApiCall): Promise<void> {
  const started = await run('kube-controller-manager', controllerManagerArguments(files));
  const traces = ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'];
  await whenReady(started, 'the controllers act', async () => {
    const answers = await Promise.all(traces.map(path => call('GET', `/api/v1/namespaces/default/${path}`)));
    return answers.every(({ status }) => status === 200);
  });
}

function idsOf(running: ReadonlyMap<string, WatchedProcess>): Record<string, number> {
  const alive = [...running.values()].filter(one => one.ended() === undefined);
  return Object.fromEntries(alive.map(one => [one.name, one.pid]));
}
