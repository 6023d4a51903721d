import { driftStories } from '../journeys/promises/drift.stories.ts';
import { openNodeWorld } from './node-world.ts';

driftStories(openNodeWorld);
