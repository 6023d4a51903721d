import { inject } from 'vitest';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { serviceContract } from './contract/service-stories.contract.ts';

const nodes = { apiVersion: 'v1', kind: 'Node' };
const namespaces = { apiVersion: 'v1', kind: 'Namespace' };

serviceContract('the API server and controllers of Kubernetes', async () => {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: inject('kubernetes').kubeconfig }));
  const made = await cluster.create({ ...namespaces, metadata: { generateName: 'services-' } });
  // Pods of a node that is not known are left out of slices.
  const node = await cluster.create({ ...nodes, metadata: { name: made.metadata.name } });
  return {
    cluster,
    namespace: made.metadata.name,
    node: node.metadata.name,
    async close() {
      await cluster.delete({ ...nodes, name: node.metadata.name });
      await cluster.delete({ ...namespaces, name: made.metadata.name });
      await cluster.close();
    },
  };
});
