import { inject } from 'vitest';
import { clusterContract } from '../contract/cluster-contract.ts';
import type { ContractCluster } from '../contract/contract-cluster.ts';
import { differencesContract } from '../contract/differences.contract.ts';
import { findAccess } from './access/find-access.ts';
import { KubernetesCluster } from './kubernetes-cluster.ts';

async function start(): Promise<ContractCluster> {
  // Bookmarks come at the end of a watch too: short watches have them soon.
  const access = await findAccess({ kubeconfig: inject('kubernetes').kubeconfig });
  const cluster = KubernetesCluster.to(access, { watchSeconds: 10 });
  const made = await cluster.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: 'contract-' },
  });
  return {
    cluster,
    namespace: made.metadata.name,
    // The first moments of a cluster were before any watch cache began.
    makeTooOld: async () => '1',
    close: async () => {
      await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', name: made.metadata.name });
      await cluster.close();
    },
  };
}

clusterContract('a real API server', start);
differencesContract('a real API server', 'server', start);
