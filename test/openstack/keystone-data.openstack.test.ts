import { afterAll, beforeAll } from 'vitest';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { openInstalledKeystone, storyMs } from './keystone-world.ts';
import { contractStories } from './stories/contract.stories.ts';
import { passwordStories } from './stories/password.stories.ts';

// What is left of data when versions come and go: over the point of no return and back, removed and installed again.
let world: JourneyWorld;
beforeAll(async () => {
  world = await openInstalledKeystone();
}, storyMs);
afterAll(() => world?.close(), storyMs);
const at = () => world;

contractStories(at);
passwordStories(at);
