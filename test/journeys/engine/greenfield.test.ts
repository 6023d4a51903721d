import { greenfieldStories } from './greenfield.stories.ts';
import { openJourneyWorld } from './journey-world.ts';

greenfieldStories(() => openJourneyWorld());
