import type { JsonObject } from '../base/json.ts';
import { compareText, isObject } from '../base/json.ts';

/** Kinds that tasks and workloads need to run, and that do nothing by themselves. */
export const supportKinds = new Set(['Secret', 'ConfigMap', 'ServiceAccount', 'Role', 'RoleBinding']);

/** Kinds that run once and are done. */
export const taskKinds = new Set(['Job', 'Pod', 'Workflow', 'Command']);

/** Kinds that start no pod. */
export const stillKinds = new Set([
  ...['Service', 'Ingress', 'HTTPRoute', 'NetworkPolicy', 'PodDisruptionBudget', 'PersistentVolumeClaim'],
  ...['PersistentVolume', 'HorizontalPodAutoscaler', 'Namespace', 'CustomResourceDefinition', 'Certificate'],
]);

/** Kinds that live outside every namespace. */
const clusterKinds = new Set([
  ...['Namespace', 'Node', 'PersistentVolume', 'StorageClass', 'VolumeSnapshotClass', 'CSIDriver'],
  ...['ClusterRole', 'ClusterRoleBinding', 'PriorityClass', 'RuntimeClass', 'IngressClass', 'GatewayClass'],
  ...['CustomResourceDefinition', 'APIService', 'MutatingWebhookConfiguration'],
  ...['ValidatingWebhookConfiguration', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
]);

/** The order in which Helm installs kinds; those that others refer to come first. */
const installOrder = [
  ...['PriorityClass', 'Namespace', 'NetworkPolicy', 'ResourceQuota', 'LimitRange', 'PodSecurityPolicy'],
  ...['PodDisruptionBudget', 'ServiceAccount', 'Secret', 'SecretList', 'ConfigMap', 'StorageClass'],
  ...[
    'PersistentVolume',
    'PersistentVolumeClaim',
    'CustomResourceDefinition',
    'ClusterRole',
    'ClusterRoleList',
  ],
  ...['ClusterRoleBinding', 'ClusterRoleBindingList', 'Role', 'RoleList', 'RoleBinding', 'RoleBindingList'],
  ...['Service', 'DaemonSet', 'Pod', 'ReplicationController', 'ReplicaSet', 'Deployment'],
  ...['HorizontalPodAutoscaler', 'StatefulSet', 'Job', 'CronJob', 'IngressClass', 'Ingress', 'APIService'],
];
const placeInOrder = new Map(installOrder.map((kind, place) => [kind, place]));

/** What we go by when we speak of an object. Text that is not there is empty. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty where the object names none. */
  readonly namespace: string;
}

/** Reads the identity of an object. */
export function identityOf(object: JsonObject): ObjectIdentity {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return {
    apiVersion: textOf(object['apiVersion']),
    kind: textOf(object['kind']),
    name: textOf(metadata['name']),
    namespace: textOf(metadata['namespace']),
  };
}

/** The object as `lifecycle.yaml` refers to it: `job/db-expand`. */
export function referenceOf(object: JsonObject): string {
  const { kind, name } = identityOf(object);
  return `${kind.toLowerCase()}/${name}`;
}

/** One text for one object of a cluster. Versions of a group serve the same objects, so only the group counts. */
export function identityKey(object: JsonObject): string {
  const { apiVersion, kind, name, namespace } = identityOf(object);
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return JSON.stringify([group, kind, namespace, name]);
}

/** Whether objects of this kind live outside every namespace. */
export function isClusterKind(kind: string): boolean {
  return clusterKinds.has(kind);
}

/** Helm's order of installation: by kind, unknown kinds last; then by name. */
export function compareForInstall(a: JsonObject, b: JsonObject): number {
  const one = identityOf(a);
  const other = identityOf(b);
  const place = (kind: string) => placeInOrder.get(kind) ?? installOrder.length;
  return (
    place(one.kind) - place(other.kind) ||
    compareText(one.kind, other.kind) ||
    compareText(one.name, other.name) ||
    compareText(one.namespace, other.namespace)
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
