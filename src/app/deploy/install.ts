import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { findObject } from '../../cluster/find-object.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { kubeconfigOf } from '../connect-world.ts';
import { ensureNamespace } from '../ensure-namespace.ts';
import type { Intent } from '../operator-verbs.ts';
import { deployLabels, operatorName, operatorNamespace, partOfLabel, servicesName } from './deploy-names.ts';
import { crdObjects, type InstallRequest, operatorObjects } from './install-objects.ts';

/** Whose the fields of what is installed are. */
const fieldManager = 'afloat-install';

/** A cluster by kubeconfig (or AFLOAT_KUBECONFIG) and context; without them, what kubectl would use. */
export interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Connects, does the work, and lets go again whatever happens. */
export async function withCluster<T>(
  choice: ClusterChoice,
  work: (cluster: KubernetesCluster, server: string) => Promise<T>,
): Promise<T> {
  const kubeconfig = kubeconfigOf(choice);
  const access = await findAccess({ ...choice, ...(kubeconfig === undefined ? {} : { kubeconfig }) });
  const cluster = KubernetesCluster.to(access);
  try {
    return await work(cluster, access.server);
  } finally {
    await cluster.close();
  }
}

/** Everything an install applies, in order. */
export function installedObjects(request: InstallRequest): readonly ClusterObject[] {
  return request.crdsOnly ? crdObjects() : [...crdObjects(), ...operatorObjects(request)];
}

/**
 * Puts the definitions and the operator into a cluster, or brings those that are there to this version. Every object is applied on its
 * own: cut off anywhere, the same command goes on. What somebody else wrote into other fields stays.
 */
export function install(cluster: Cluster, request: InstallRequest, server: string): Intent {
  const { namespace = operatorNamespace, clouds = [], watch, everywhere } = request;
  const objects = installedObjects(request);
  if (request.crdsOnly) return installDefinitions(cluster, objects, server);
  const named = [...new Set([...(watch === undefined ? [] : [watch]), ...clouds])];
  const reach = everywhere
    ? 'every namespace'
    : named.join(', ') || 'no namespace yet: name one with --cloud';
  return {
    says: [
      `The operator (${request.image}) and the definitions of its kinds are put into ${server}, namespace ${namespace}.`,
      `It may keep packages and act for the accounts of records in: ${reach}.`,
    ],
    asks: false,
    carryOut: async () => {
      for (const cloud of named) await ensureNamespace(cluster, cloud);
      const wanted = (await isSomebodys(cluster, namespace))
        ? objects.filter(({ kind }) => kind !== 'Namespace')
        : objects;
      for (const object of wanted) await apply(cluster, object);
      return [
        `applied ${wanted.length} objects`,
        ...named.map(cloud => `records in ${cloud} can say serviceAccountName: ${servicesName}`),
        `to see it begin: kubectl -n ${namespace} rollout status deployment/${operatorName}`,
      ];
    },
  };
}

function installDefinitions(cluster: Cluster, objects: readonly ClusterObject[], server: string): Intent {
  return {
    says: [`The definitions of our kinds in ${server} are brought to this version; nothing else is touched.`],
    asks: false,
    carryOut: async () => {
      for (const object of objects) await apply(cluster, object);
      return [`applied ${objects.length} definitions`];
    },
  };
}

/** Whether a namespace was there before us: its labels are not ours to set, what else runs in it may need other ones. */
async function isSomebodys(cluster: Cluster, name: string): Promise<boolean> {
  const found = await findObject(cluster, { apiVersion: 'v1', kind: 'Namespace', name });
  return found !== undefined && found.metadata.labels?.[partOfLabel] !== deployLabels[partOfLabel];
}

async function apply(cluster: Cluster, value: ClusterObject): Promise<void> {
  const { apiVersion, kind, metadata } = value;
  const { name = '', namespace } = metadata;
  const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  await cluster.patch(ref, { type: 'apply', value, fieldManager, force: true });
}
