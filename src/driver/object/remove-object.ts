import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { checkRemovable } from './identity.ts';

/**
 * Deletes the very object that was looked at, what it owns after it. `gone` when it is not there any more; what it started may still be.
 * Throws `ObjectNotOurs` where Afloat did not write it.
 */
export async function removeObject(cluster: Cluster, object: ClusterObject): Promise<'gone' | 'going'> {
  const ref = refOf(object);
  const live = await findObject(cluster, ref);
  if (!live) return 'gone';
  checkRemovable(live, object);
  if (live.metadata.deletionTimestamp !== undefined) return 'going';
  try {
    // The uid: whoever makes another of that name in this moment keeps it.
    const preconditions = { uid: live.metadata.uid };
    await cluster.delete(ref, { preconditions, propagation: 'Background' });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  return (await findObject(cluster, ref)) ? 'going' : 'gone';
}
