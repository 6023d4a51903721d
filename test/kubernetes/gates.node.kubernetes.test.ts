import { gateStories } from '../journeys/engine/gates.stories.ts';
import { openNodeWorld } from './node-world.ts';

gateStories(openNodeWorld);
