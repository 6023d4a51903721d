import { brownfieldStories } from '../journeys/engine/brownfield.stories.ts';
import { openNodeWorld } from './node-world.ts';

brownfieldStories(openNodeWorld, ['healthy', 'restored', 'nobackup', 'asksyes', 'datanever']);
