import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { apiVersion, group } from '../api/group.ts';
import { openstackDeployment } from '../api/openstack-deployment.ts';
import { CodedError } from '../base/coded-error.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import type { Access, CredentialSource } from '../cluster/kubernetes/access/access.ts';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';
import type { ReadPodLog } from '../cluster/pod-log.ts';
import { ensureNamespace } from './ensure-namespace.ts';
import { isManagerAlive, type ManagerNote, readManagerNote } from './manager-note.ts';
import { defaultStateFolder, stateFiles } from './state-folder.ts';

export interface ConnectOptions {
  /** The world of this folder on this machine; the default one where nothing else is said. */
  readonly stateFolder?: string;
  /** A cluster instead, by a kubeconfig, or by a context of the one that kubectl would use. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * The kubeconfig that is meant: the one that was named, else that of `AFLOAT_KUBECONFIG` where no state folder was named. `KUBECONFIG` alone
 * is not meant for us: it is set in many shells, and a command must not reach another cloud for that.
 */
export function kubeconfigOf(options: ConnectOptions): string | undefined {
  const { kubeconfig, stateFolder, environment = process.env } = options;
  const { AFLOAT_KUBECONFIG: usual } = environment;
  return kubeconfig ?? (stateFolder === undefined && usual ? usual : undefined);
}

/** The objects of a world that runs elsewhere: in another process here, or in a cluster. */
export interface ConnectedWorld {
  readonly world: 'embedded' | 'kubernetes';
  readonly cluster: KubernetesCluster;
  /** The namespace that is meant where none is named. */
  readonly namespace: string;
  readonly podLogs: ReadPodLog;
  /** Who the cluster takes us for; the user of this machine in its own world. */
  whoAmI(): Promise<string>;
  /** See `ensureNamespace`. */
  ensureNamespace(name: string): Promise<StoredObject>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Connects to the world that is meant. Of the embedded one it is asked whether it is there: throws `NotUp` where nothing runs for the
 * folder, where its manager has ended without a word, or where it runs and does not answer. Of a cluster it is asked whether it
 * knows our kinds: throws `NotInstalled` where it does not, `ClusterUnreachable` where it does not answer, `KubeconfigInvalid` or
 * `CredentialsUnavailable` where it cannot even be asked.
 */
export async function connectWorld(options: ConnectOptions = {}): Promise<ConnectedWorld> {
  const { stateFolder = defaultStateFolder(), context } = options;
  const kubeconfig = kubeconfigOf(options);
  const own = stateFiles(stateFolder).kubeconfig;
  const isOwn = kubeconfig === undefined ? context === undefined : resolve(kubeconfig) === resolve(own);
  if (isOwn) return connectEmbedded(stateFolder);
  const wanted = {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  return connectCluster(await findAccess(wanted));
}

async function connectCluster(access: Access): Promise<ConnectedWorld> {
  const world = connected('kubernetes', access);
  try {
    await world.cluster.list({ apiVersion, kind: openstackDeployment.kind }, { limit: 1 });
    return world;
  } catch (error) {
    // Who may not see the records of all namespaces may see those of one.
    if (isReason(error, 'Forbidden')) return world;
    await world.close();
    if (!isReason(error, 'NotFound')) throw error;
    const message = `the cluster at ${access.server} does not know ${openstackDeployment.kind} of ${group}`;
    throw new CodedError('NotInstalled', message, { cause: error, details: { server: access.server } });
  }
}

async function connectEmbedded(stateFolder: string): Promise<ConnectedWorld> {
  const files = stateFiles(stateFolder);
  const note = await readManagerNote(files.manager);
  if (!note) throw notUp(`nothing runs in ${stateFolder}`, { stateFolder });
  if (!isManagerAlive(note)) throw notUp(wordsOfEnd(note, stateFolder), { stateFolder, pid: note.pid });
  const read = () => findAccess({ kubeconfig: files.kubeconfig });
  const world = connected('embedded', { ...(await read()), credentials: tokenOf(read) });
  try {
    await world.cluster.list({ apiVersion: 'v1', kind: 'Namespace' }, { limit: 1 });
    return world;
  } catch (error) {
    await world.close();
    if (!isReason(error, 'Unreachable')) throw error;
    const message = `process ${note.pid} runs for ${stateFolder} but does not answer at ${note.address}: it is ending, or hangs`;
    throw notUp(message, { stateFolder, pid: note.pid, address: note.address }, error);
  }
}

function wordsOfEnd({ pid, endedAt, startedAt }: ManagerNote, stateFolder: string): string {
  if (endedAt !== undefined) return `nothing runs in ${stateFolder}: it was stopped at ${endedAt}`;
  return `nothing runs in ${stateFolder}: process ${pid}, started at ${startedAt}, ended without a word; what it left is taken up when it is started again`;
}

function notUp(message: string, details: Record<string, unknown>, cause?: unknown): CodedError {
  return new CodedError('NotUp', message, { details, ...(cause === undefined ? {} : { cause }) });
}

/** A manager that is started again has another token: the kubeconfig is read again when the one that was shown is not believed. */
function tokenOf(read: () => Promise<Access>): CredentialSource {
  let known: ReturnType<CredentialSource['current']> | undefined;
  return {
    current: () => {
      known ??= read()
        .then(access => access.credentials.current())
        .catch((error: unknown) => {
          known = undefined;
          throw error;
        });
      return known;
    },
    forget: () => {
      known = undefined;
    },
  };
}

function connected(world: ConnectedWorld['world'], access: Access): ConnectedWorld {
  const cluster = KubernetesCluster.to(access);
  return {
    world,
    cluster,
    namespace: access.namespace,
    podLogs: (of, query) => cluster.podLogs(of, query),
    whoAmI: async () => (world === 'embedded' ? userInfo().username : userOf(cluster)),
    ensureNamespace: name => ensureNamespace(cluster, name),
    close: () => cluster.close(),
  };
}

/** Who the API server takes us for: only that name may stand beside an approval. */
async function userOf(cluster: KubernetesCluster): Promise<string> {
  const review = await cluster.create({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    metadata: {},
  });
  const { userInfo: user } = (review['status'] ?? {}) as { userInfo?: { username?: string } };
  return user?.username ?? '';
}
