import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';

/** The kind everything of the store is kept in. */
export const secretType = { apiVersion: 'v1', kind: 'Secret' } as const;

/** The bytes under a key of a Secret; undefined where there is no such key. */
export function secretBytes(secret: StoredObject, key: string): Buffer | undefined {
  const data = (secret['data'] ?? {}) as Readonly<Record<string, string>>;
  return Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64') : undefined;
}

/** A Secret by name; undefined where there is none. */
export function findSecret(
  cluster: Cluster,
  namespace: string,
  name: string,
): Promise<StoredObject | undefined> {
  return findObject(cluster, { ...secretType, namespace, name });
}

/** Takes this very Secret away; that it is gone, or another one by now, is as good. */
export async function removeSecret(cluster: Cluster, { metadata }: StoredObject): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  try {
    await cluster.delete({ ...secretType, namespace, name }, { preconditions: { uid } });
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}
