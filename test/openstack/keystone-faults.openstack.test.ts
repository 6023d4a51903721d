/** The way from one release of Keystone to the next with something going wrong, in the release or around it, with clients all the while. */
import { afterAll, beforeAll } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { openInstalledKeystone, storyMs } from './keystone-world.ts';
import { falloutStories } from './stories/faults-around.stories.ts';
import { badReleaseStories } from './stories/faults-release.stories.ts';
import { halfSchemaStories } from './stories/faults-schema.stories.ts';

// One cloud for all stories, because an install takes its time. Each begins and ends with the first version, so that one can be told alone.
let world: JourneyWorld;
beforeAll(async () => {
  world = await openInstalledKeystone();
}, storyMs);
afterAll(() => world?.close(), storyMs);
const at = () => world;

// Those that need a schema of the first release come before those that expand it.
halfSchemaStories(at);
badReleaseStories(at);
falloutStories(at);
