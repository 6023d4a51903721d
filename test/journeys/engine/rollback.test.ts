import { openJourneyWorld } from './journey-world.ts';
import { rollbackStories } from './rollback.stories.ts';

rollbackStories(() => openJourneyWorld());
