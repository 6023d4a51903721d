import { openJourneyWorld } from './journey-world.ts';
import { strategyStories } from './strategies.stories.ts';

strategyStories(() => openJourneyWorld());
