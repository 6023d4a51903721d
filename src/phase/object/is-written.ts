import { managedBy, managedByLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { digestAnnotation, stoppedAnnotation } from './prepare-object.ts';
import { sayObject } from './say-object.ts';

/**
 * Whether this very content was the last that we wrote under its name, and it was not stopped since: then there is nothing to write. What
 * somebody else made of it meanwhile is drift, and repaired when the flow is over. Throws `ObjectNotOurs` for an object that somebody else
 * made: it is neither overwritten nor, later, taken for ours and removed.
 */
export async function isWritten(cluster: Cluster, object: ClusterObject): Promise<boolean> {
  const live = await findObject(cluster, refOf(object));
  if (!live) return false;
  if (live.metadata.labels?.[managedByLabel] !== managedBy) {
    const message = `${sayObject(object)} is there already, and not made by Afloat`;
    throw new CodedError('ObjectNotOurs', message);
  }
  if (live.metadata.deletionTimestamp !== undefined) return false;
  const { [digestAnnotation]: digest, [stoppedAnnotation]: stopped } = live.metadata.annotations ?? {};
  return digest === object.metadata.annotations?.[digestAnnotation] && stopped === undefined;
}
