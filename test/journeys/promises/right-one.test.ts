import { openJourneyWorld } from '../engine/journey-world.ts';
import { rightOneStories } from './right-one.stories.ts';

rightOneStories(() => openJourneyWorld());
