import type { TestNode } from '../../../scripts/kubernetes/test-node.ts';
import { operatorResources } from '../../../src/app/deploy/operator-objects.ts';
import { findAccess } from '../../../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { aPerson } from '../../../src/testing/shipped-rights.ts';
import { journeyPerson } from '../../journeys/engine/journey-place.ts';
import { type JourneyWorld, openJourneyWorld } from '../../journeys/engine/journey-world.ts';
import { type NodePlace, nodePlace } from '../node-place.ts';
import { personRoles } from '../operator-rights.ts';

/**
 * A world in a namespace of its own whose manager is whatever is installed on that node; records must name their account. Who writes them
 * has the roles that come with that manager, and no right before it is installed.
 */
export async function openOperatorWorld(node: TestNode): Promise<JourneyWorld> {
  return openJourneyWorld(folder => operatorPlace(node, folder));
}

/** The place of such a world. */
export async function operatorPlace(node: TestNode, folder: string): Promise<NodePlace> {
  const place = await nodePlace(node, folder);
  return {
    ...place,
    // As much as an operator asks for: beside operators that start, services that ask for nothing would stand still.
    container: { ...place.container, resources: { requests: { cpu: operatorResources.requests.cpu } } },
    // A busy node hears late that an address is out.
    traffic: { ...place.traffic, settleSeconds: 3 },
    async start({ signal }) {
      const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: node.kubeconfig }));
      const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve())).then(() =>
        cluster.close(),
      );
      const who = { name: journeyPerson, namespace: place.namespace };
      return { cluster, person: await aPerson(cluster, who, personRoles), ended };
    },
  };
}
