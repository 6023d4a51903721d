import { oldConfigStories } from '../journeys/promises/old-config.stories.ts';
import { openNodeWorld } from './node-world.ts';

oldConfigStories(openNodeWorld, async (world, service) => {
  const { slice } = (await world.serving(service)) ?? {};
  const ofSlice = async () =>
    (await world.pods(service)).filter(({ metadata }) => metadata.labels?.['slice'] === slice);
  const [pod] = await ofSlice();
  const { name = '', uid, namespace = '' } = pod?.metadata ?? {};
  await world.cluster.delete({ apiVersion: 'v1', kind: 'Pod', namespace, name }, { gracePeriodSeconds: 0 });
  await world.until('its end', async () => (await ofSlice()).every(({ metadata }) => metadata.uid !== uid));
});
