import { gateStories } from './gates.stories.ts';
import { openJourneyWorld } from './journey-world.ts';

gateStories(() => openJourneyWorld());
