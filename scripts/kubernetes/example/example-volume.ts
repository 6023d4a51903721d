import type { ClusterObject } from '../../../src/cluster/cluster.ts';
import { claimedVolume } from '../node/claimed-volume.ts';

/** A volume for the database of the example cloud, in a folder of the machine that the node is on. */
export function exampleVolume(namespace: string, folder: string): ClusterObject {
  return claimedVolume({ namespace, claim: 'data-database-0', folder });
}
