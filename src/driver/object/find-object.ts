import type { Cluster, ClusterObject, ObjectRef, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';

/** The object by kind, namespace and name. */
export function refOf({ apiVersion, kind, metadata }: ClusterObject): ObjectRef {
  const { name = '', namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The object as it is now; undefined where there is none. */
export async function findObject(cluster: Cluster, ref: ObjectRef): Promise<StoredObject | undefined> {
  try {
    return await cluster.get(ref);
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The object in words for people: `Job openstack/db-sync`. */
export function nameOf({ kind, metadata }: ClusterObject): string {
  const { namespace, name = '' } = metadata;
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
