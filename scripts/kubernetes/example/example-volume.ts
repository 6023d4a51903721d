import type { ClusterObject } from '../../../src/cluster/cluster.ts';

/**
 * A volume for the database of the example cloud, in a folder of the machine that the node is on: its claim takes what is kept for it. A
 * cluster of somebody else would have a storage class.
 */
export function exampleVolume(namespace: string, folder: string): ClusterObject {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `${namespace}-database` } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace, name: 'data-database-0' },
      hostPath: { path: folder, type: 'DirectoryOrCreate' },
    },
  };
}
