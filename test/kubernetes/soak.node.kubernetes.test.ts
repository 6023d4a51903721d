import { soakStories } from '../journeys/engine/soak.stories.ts';
import { openNodeWorld } from './node-world.ts';

// A plain Service tells nobody how many requests failed.
soakStories(openNodeWorld, { counts: false });
