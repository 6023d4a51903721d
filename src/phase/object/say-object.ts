import type { ClusterObject } from '../../cluster/cluster.ts';

/** Kind and name, as people say it. */
export function sayObject({ kind, metadata }: ClusterObject): string {
  return `${kind} ${metadata.name}`;
}
