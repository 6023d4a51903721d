import type { Cluster, StoredObject } from '../cluster/cluster.ts';
import { ClusterError, isReason } from '../cluster/cluster-error.ts';

const type = { apiVersion: 'v1', kind: 'Namespace' } as const;

/**
 * Makes sure that a namespace is there, and leaves one that is there as it is. Throws `Conflict` for one that is just being removed:
 * nothing can be made in it.
 */
export async function ensureNamespace(cluster: Cluster, name: string): Promise<StoredObject> {
  const namespace = await findOrCreate(cluster, name);
  if (namespace.metadata.deletionTimestamp === undefined) return namespace;
  throw new ClusterError('Conflict', `the namespace ${name} is being removed; repeat it when it is gone`);
}

async function findOrCreate(cluster: Cluster, name: string): Promise<StoredObject> {
  try {
    return await cluster.get({ ...type, name });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  try {
    return await cluster.create({ ...type, metadata: { name } });
  } catch (error) {
    // Somebody else was faster, which is as good.
    if (!isReason(error, 'AlreadyExists')) throw error;
    return cluster.get({ ...type, name });
  }
}
