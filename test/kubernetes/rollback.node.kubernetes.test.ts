import { rollbackStories } from '../journeys/engine/rollback.stories.ts';
import { openNodeWorld } from './node-world.ts';

rollbackStories(openNodeWorld);
