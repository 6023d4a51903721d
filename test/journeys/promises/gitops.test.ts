import { openJourneyWorld } from '../engine/journey-world.ts';
import { gitopsStories } from './gitops.stories.ts';

gitopsStories(() => openJourneyWorld());
