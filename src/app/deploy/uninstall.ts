import { apiVersion, group } from '../../api/group.ts';
import { kinds } from '../../api/kinds.ts';
import { managedBy, managedByLabel } from '../../api/labels.ts';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import type { Cluster, ObjectType, StoredObject } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { listAll } from '../../cluster/follow/list-all.ts';
import { clusterHome, epochName, epochRef } from '../../controller/runtime/epoch.ts';
import { leaseType } from '../operator/lease-held.ts';
import { leaseName } from '../operator/lease-name.ts';
import type { Intent } from '../operator-verbs.ts';
import { deployLabels, operatorName, partOfLabel } from './deploy-names.ts';
import { crdObjects } from './install-objects.ts';
import { routersConfig } from './router-objects.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';

/** What an install brings, in the order in which it is taken away: first who acts, last what guards. Namespaces stay. */
const installedTypes: readonly ObjectType[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: rbac, kind: 'ClusterRoleBinding' },
  { apiVersion: rbac, kind: 'RoleBinding' },
  { apiVersion: rbac, kind: 'Role' },
  { apiVersion: rbac, kind: 'ClusterRole' },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
  { apiVersion: admission, kind: 'ValidatingAdmissionPolicyBinding' },
  { apiVersion: admission, kind: 'ValidatingAdmissionPolicy' },
];

const labelSelector = `${partOfLabel}=${deployLabels[partOfLabel]}`;

export interface UninstallRequest {
  /** The definitions too, and with them every record, plan, flow and revision. */
  readonly crds: boolean;
  readonly clock?: Clock;
}

/**
 * Takes the operator out of a cluster. Definitions, records and everything that serves stay: installed again, all is known. With `crds`
 * the definitions go too; what they define is forgotten, and what serves still stays.
 */
export async function uninstall(cluster: Cluster, request: UninstallRequest): Promise<Intent> {
  const installed = await findInstalled(cluster);
  const forgotten = request.crds ? await findOwn(cluster) : [];
  return {
    says: [
      installed.length > 0
        ? `The operator goes (${installed.length} objects). What it looked after runs on, and nobody looks after it.`
        : 'No operator is installed here.',
      ...(request.crds
        ? sayForgotten(forgotten)
        : ['Definitions, records, plans and revisions stay: installed again, everything is known.']),
    ],
    asks: true,
    carryOut: async () => {
      for (const object of installed) await remove(cluster, object);
      const done = [`removed ${installed.length} objects of the operator`];
      if (!request.crds) return done;
      await untilOperatorIsGone(cluster, request.clock ?? systemClock);
      return [...done, ...(await removeDefinitions(cluster))];
    },
  };
}

async function findInstalled(cluster: Cluster): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for (const type of installedTypes) found.push(...(await listAll(cluster, type, { labelSelector })).items);
  // By its name too: people give their own ConfigMaps the label of what they belong to.
  const named = { labelSelector, fieldSelector: `metadata.name=${routersConfig.name}` };
  found.push(...(await listAll(cluster, { apiVersion: 'v1', kind: 'ConfigMap' }, named)).items);
  return found;
}

/** Every object of our kinds. A kind that is not defined has none. */
async function findOwn(cluster: Cluster): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for (const { kind } of kinds) {
    try {
      found.push(...(await listAll(cluster, { apiVersion, kind }, {})).items);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
  return found;
}

function sayForgotten(objects: readonly StoredObject[]): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { kind, metadata } of objects) {
    const { namespace = '' } = metadata;
    const own = counts.get(namespace) ?? new Map<string, number>();
    counts.set(namespace, own.set(kind, (own.get(kind) ?? 0) + 1));
  }
  const lines = [...counts].map(
    ([namespace, own]) =>
      `    ${namespace}: ${[...own].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
  );
  return [
    `The definitions go, and with them is forgotten, for good (${objects.length} objects):`,
    ...(lines.length > 0 ? lines : ['    nothing']),
    'There is no way back to a former version then. Workloads, Services, data and the Secrets with packages and manifests stay.',
    'Tasks of phases go with their phases; what a phase that was made alone, by hand, has rendered goes with it.',
  ];
}

/** The name of an operator that still ends could be on what it writes after us. */
async function untilOperatorIsGone(cluster: Cluster, clock: Clock): Promise<void> {
  const type = { apiVersion: 'v1', kind: 'Pod' };
  const selected = { labelSelector: `app.kubernetes.io/name=${operatorName},${labelSelector}` };
  const deadline = clock.monotonic() + 90_000;
  while (clock.monotonic() < deadline) {
    const { items } = await cluster.list(type, { ...selected, limit: 1 });
    if (items.length === 0) return;
    await clock.sleep(500);
  }
  throw new ClusterError('Timeout', 'the pods of the operator have not ended yet; repeat it when they have');
}

/** First our finalizers, which nobody would take off any more, then the definitions. */
async function removeDefinitions(cluster: Cluster): Promise<string[]> {
  const own = await findOwn(cluster);
  for (const object of own) await takeOffFinalizers(cluster, object);
  const crds = crdObjects();
  for (const { apiVersion: of, kind, metadata } of crds)
    await removeIfThere(() => cluster.delete({ apiVersion: of, kind, name: metadata.name ?? '' }));
  for (const object of await findKept(cluster)) await remove(cluster, object);
  return [`removed ${crds.length} definitions`, `forgot ${own.length} objects`];
}

/** What operators keep for each other, in whatever namespace they looked after: their number, and who leads. */
async function findKept(cluster: Cluster): Promise<readonly StoredObject[]> {
  const { apiVersion: of, kind } = epochRef(clusterHome);
  const numbers = await listAll(
    cluster,
    { apiVersion: of, kind },
    { labelSelector: `${managedByLabel}=${managedBy}`, fieldSelector: `metadata.name=${epochName}` },
  );
  const leases = await listAll(cluster, leaseType, { fieldSelector: `metadata.name=${leaseName}` });
  return [...numbers.items, ...leases.items];
}

async function takeOffFinalizers(cluster: Cluster, { kind, metadata }: StoredObject): Promise<void> {
  const { finalizers = [], name, namespace = '' } = metadata;
  const others = finalizers.filter(finalizer => !finalizer.startsWith(`${group}/`));
  if (others.length === finalizers.length) return;
  const value = { metadata: { finalizers: others, resourceVersion: metadata.resourceVersion } };
  await removeIfThere(() => cluster.patch({ apiVersion, kind, namespace, name }, { type: 'merge', value }));
}

async function remove(cluster: Cluster, { apiVersion: of, kind, metadata }: StoredObject): Promise<void> {
  const { name, namespace, uid } = metadata;
  const ref = { apiVersion: of, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  await removeIfThere(() => cluster.delete(ref, { preconditions: { uid } }));
}

async function removeIfThere(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
