import type { Cluster, ClusterObject, ObjectRef, StoredObject } from './cluster.ts';
import { isReason } from './cluster-error.ts';

/** The object as it is in the cluster; undefined where there is none. */
export async function findObject(cluster: Cluster, ref: ObjectRef): Promise<StoredObject | undefined> {
  try {
    return await cluster.get(ref);
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Where an object is. */
export function refOf({ apiVersion, kind, metadata }: ClusterObject): ObjectRef {
  const { name = '', namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
