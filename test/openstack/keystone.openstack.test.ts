import { afterAll, beforeAll } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { openInstalledKeystone, storyMs } from './keystone-world.ts';
import { keyStories } from './stories/keys.stories.ts';
import { patchStories } from './stories/patch.stories.ts';
import { preflightStories } from './stories/preflight.stories.ts';
import { releaseStories } from './stories/release.stories.ts';

// One cloud for all stories, because an install takes its time. Each begins and ends with the first version, so that one can be told alone.
let world: JourneyWorld;
beforeAll(async () => {
  world = await openInstalledKeystone();
}, storyMs);
afterAll(() => world?.close(), storyMs);
const at = () => world;

patchStories(at);
preflightStories(at);
releaseStories(at);
keyStories(at);
