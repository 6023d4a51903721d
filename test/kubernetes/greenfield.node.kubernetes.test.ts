import { greenfieldStories } from '../journeys/engine/greenfield.stories.ts';
import { openNodeWorld } from './node-world.ts';

// A plain Service tells nobody how many requests failed.
greenfieldStories(openNodeWorld, { counts: false });
