import type { ClusterObject } from '../../cluster/cluster.ts';

/** The object in words for people: `Job openstack/db-sync`. */
export function nameOf({ kind, metadata }: ClusterObject): string {
  const { namespace, name = '' } = metadata;
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
