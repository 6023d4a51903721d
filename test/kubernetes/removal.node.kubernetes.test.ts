import { removalStories } from '../journeys/engine/removal.stories.ts';
import { openNodeWorld } from './node-world.ts';

removalStories(openNodeWorld);
