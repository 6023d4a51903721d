import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from './find-object.ts';
import { digestAnnotation, stoppedAnnotation } from './prepare-object.ts';

/**
 * Whether this very content was the last that we wrote under its name, and it was not stopped since: then there is nothing to write. What
 * somebody else made of it meanwhile is drift, and repaired when the flow is over.
 */
export async function isWritten(cluster: Cluster, object: ClusterObject): Promise<boolean> {
  const live = await findObject(cluster, refOf(object));
  if (!live || live.metadata.deletionTimestamp !== undefined) return false;
  const { [digestAnnotation]: digest, [stoppedAnnotation]: stopped } = live.metadata.annotations ?? {};
  return digest === object.metadata.annotations?.[digestAnnotation] && stopped === undefined;
}
