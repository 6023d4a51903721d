import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, inject } from 'vitest';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { workloadContract } from './contract/workload-stories.contract.ts';

const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: inject('kubernetes').kubeconfig }));
afterAll(() => cluster.close());

workloadContract('the controller manager of Kubernetes', async id => {
  const made = await cluster.create({ ...namespaces, metadata: { generateName: `${id}-` } });
  const namespace = made.metadata.name;
  return {
    cluster,
    namespace,
    now: () => Date.now(),
    untilMinute: minute => sleep(Math.max(0, minute * 60_000 - Date.now())),
    async close() {
      await cluster.delete({ ...namespaces, name: namespace });
    },
  };
});
