import { gitopsStories } from '../journeys/promises/gitops.stories.ts';
import { openNodeWorld } from './node-world.ts';

gitopsStories(openNodeWorld);
