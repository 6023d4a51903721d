import { openJourneyWorld } from './journey-world.ts';
import { soakStories } from './soak.stories.ts';

soakStories(() => openJourneyWorld());
