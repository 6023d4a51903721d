import { inject } from 'vitest';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';
import { broughtFlowContract } from './flow/brought-flow.contract.ts';
import { handMadeFlowContract } from './flow/hand-made-flow.contract.ts';
import type { HandMadeWorld } from './hand-made-world.contract.ts';
import { phaseAloneContract } from './phase/phase-alone.contract.ts';

const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
const bindings = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' };

async function open(): Promise<HandMadeWorld> {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: inject('kubernetes').kubeconfig }));
  const made: string[] = [];
  return {
    cluster,
    everyKill: 15,
    async newNamespace() {
      const { metadata } = await cluster.create({ ...namespaces, metadata: { generateName: 'phases-' } });
      made.push(metadata.name);
      await cluster.create({
        ...bindings,
        metadata: { name: metadata.name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', namespace: metadata.name, name: 'default' }],
      });
      return metadata.name;
    },
    async close() {
      for (const name of made) {
        await cluster.delete({ ...bindings, name });
        await cluster.delete({ ...namespaces, name });
      }
      await cluster.close();
    },
  };
}

phaseAloneContract('phases by hand on a real API server', open);
handMadeFlowContract('flows by hand on a real API server', open);
broughtFlowContract('flows that a chart brings, on a real API server', open);
