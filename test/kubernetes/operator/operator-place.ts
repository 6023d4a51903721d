import { operatorResources } from '../../../src/app/deploy/operator-objects.ts';
import { findAccess } from '../../../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { type JourneyWorld, openJourneyWorld } from '../../journeys/engine/journey-world.ts';
import { nodePlace } from '../node-place.ts';
import type { OwnNode } from './operator-pods.ts';

/** A world in a namespace of its own whose manager is whatever is installed on that node; records must name their account. */
export async function openOperatorWorld(node: OwnNode): Promise<JourneyWorld> {
  return openJourneyWorld(async folder => {
    const place = await nodePlace(node, folder);
    return {
      ...place,
      // As much as an operator asks for: beside operators that start, services that ask for nothing would stand still.
      container: { ...place.container, resources: { requests: { cpu: operatorResources.requests.cpu } } },
      // A busy node hears late that an address is out.
      traffic: { ...place.traffic, settleSeconds: 3 },
      async start({ signal }) {
        const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: node.kubeconfig }));
        const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve())).then(
          () => cluster.close(),
        );
        return { cluster, ended };
      },
    };
  });
}
