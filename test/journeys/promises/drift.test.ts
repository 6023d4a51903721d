import { openJourneyWorld } from '../engine/journey-world.ts';
import { driftStories } from './drift.stories.ts';

driftStories(() => openJourneyWorld());
