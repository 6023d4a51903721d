import { brownfieldStories } from './brownfield.stories.ts';
import { openJourneyWorld } from './journey-world.ts';

brownfieldStories(() => openJourneyWorld());
