import { openJourneyWorld } from './journey-world.ts';
import { removalStories } from './removal.stories.ts';

removalStories(() => openJourneyWorld());
