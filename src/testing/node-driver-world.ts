import { inject } from 'vitest';
import { askForNode } from '../../scripts/kubernetes/node-door.ts';
import { kubernetesWorld } from '../runtime/contract/kubernetes-world.contract.ts';

/** A real Kubernetes node, asked for from whoever runs the suite that needs one. */
export async function nodeDriverWorld() {
  return { ...(await kubernetesWorld(await askForNode(inject('kubernetesNode')))), hasQuotas: true };
}
