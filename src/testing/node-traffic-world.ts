/** Pods and Services of a real node, as a world for the suite of routers. */
import { inject } from 'vitest';
import { hasImages, loadProgramImages } from '../../scripts/kubernetes/node/load-images.ts';
import { askForNode } from '../../scripts/kubernetes/node-door.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { findObject } from '../cluster/find-object.ts';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';
import type { TrafficWorld } from '../traffic/traffic.contract.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { sliceAddress, sliceDeployment, sliceProgram, sliceRoute } from './traffic-world.ts';

const image = { name: 'afloat.test/node:1', entrypoint: ['node'] };

/** Opens it, in a namespace of its own, with a router of Services. */
export async function nodeTrafficWorld(
  openTraffic: (options: { cluster: Cluster }) => Traffic,
): Promise<TrafficWorld> {
  const node = await askForNode(inject('kubernetesNode'));
  if (!(await hasImages(node, [image.name]))) await loadProgramImages(node, [image]);
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: node.kubeconfig }));
  const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
  const made = await cluster.create({ ...namespaces, metadata: { generateName: 'traffic-' } });
  const namespace = made.metadata.name;
  await waitUntil('the account of the namespace', 60, () =>
    findObject(cluster, { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace }),
  );
  for (const slice of ['blue', 'green'])
    await cluster.create(
      sliceDeployment(slice, namespace, { image: image.name, args: ['-e', sliceProgram] }),
    );
  let routes = 0;
  return {
    traffic: openTraffic({ cluster }),
    counts: false,
    newRoute() {
      routes += 1;
      return { namespace, service: `web-${routes}` };
    },
    object: (route, ports) => sliceRoute(route, ports, { 'openstacklcm.airshipit.org/service': 'web' }),
    address: (route, port) => sliceAddress(cluster, route, port),
    async makeForeign(route) {
      await cluster.create(sliceRoute(route, [8000]));
    },
    async close() {
      await cluster.delete({ ...namespaces, name: namespace });
      await cluster.close();
    },
  };
}
