import { contractStories } from '../journeys/engine/contract.stories.ts';
import { openNodeWorld } from './node-world.ts';

contractStories(openNodeWorld);
