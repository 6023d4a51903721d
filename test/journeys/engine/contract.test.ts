import { contractStories } from './contract.stories.ts';
import { openJourneyWorld } from './journey-world.ts';

contractStories(() => openJourneyWorld());
