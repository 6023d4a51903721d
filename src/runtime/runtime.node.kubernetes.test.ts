import { inject } from 'vitest';
import { askForNode } from '../../scripts/kubernetes/node-door.ts';
import { kubernetesWorld } from './contract/kubernetes-world.contract.ts';
import { runtimeContract } from './contract/runtime-contract.ts';

runtimeContract('a real Kubernetes', async () => kubernetesWorld(await askForNode(inject('kubernetesNode'))));
