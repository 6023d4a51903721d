import type { Cluster } from '../../cluster/cluster.ts';

/**
 * The cluster as the account of a record sees it: what is written or read for a record is done in that name, so that who may write a
 * record gets no right that the account does not have. Where accounts have no rights of their own (embedded) it is the cluster itself.
 */
export function asAccount(cluster: Cluster, namespace: string, account: string): Cluster {
  return cluster.as({ user: `system:serviceaccount:${namespace}:${account}` });
}
