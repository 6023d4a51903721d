import { serviceContract } from './contract/service-stories.contract.ts';
import { ServicesWorld } from './services-world.contract.ts';

serviceContract('our controllers on the embedded cluster', async () => {
  const world = await ServicesWorld.open();
  const { cluster } = world;
  const namespace = 'services';
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await world.startManager();
  return { cluster, namespace, node: 'here', close: () => world.close() };
});
