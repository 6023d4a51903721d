import type { ClusterObject } from '../../../src/cluster/cluster.ts';

/**
 * A volume for one claim of one namespace, in a folder of the machine that the node is on, which is made where it is missing. A cluster of
 * somebody else would have a storage class.
 */
export function claimedVolume({
  namespace,
  claim,
  folder,
  size = '1Gi',
}: {
  readonly namespace: string;
  readonly claim: string;
  readonly folder: string;
  readonly size?: string;
}): ClusterObject {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `${namespace}-${claim}` } },
    spec: {
      ...{
        capacity: { storage: size },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace, name: claim },
      },
      hostPath: { path: folder, type: 'DirectoryOrCreate' },
    },
  };
}
