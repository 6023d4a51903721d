import { strategyStories } from '../journeys/engine/strategies.stories.ts';
import { openNodeWorld } from './node-world.ts';

strategyStories(openNodeWorld);
