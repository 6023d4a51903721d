import { rightOneStories } from '../journeys/promises/right-one.stories.ts';
import { openNodeWorld } from './node-world.ts';

// A plain Service tells nobody which requests came to whom.
rightOneStories(openNodeWorld, { counts: false });
