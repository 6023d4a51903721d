import { openJourneyWorld } from '../engine/journey-world.ts';
import { oldConfigStories } from './old-config.stories.ts';

oldConfigStories(
  () => openJourneyWorld(),
  async (world, service) => {
    const { pid } = (await world.serving(service)) ?? {};
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    await world.until('its end', async () => (await world.serving(service))?.pid !== pid);
  },
);
