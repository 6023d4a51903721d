import { join } from 'node:path';
import { describe } from 'vitest';
import { stateFiles } from '../../src/app/state-folder.ts';
import { findHelm } from '../../src/package/chart/find-helm.ts';
import { openJourneyWorld } from '../journeys/engine/journey-world.ts';
import { ledgerStories } from './ledger.stories.ts';

describe.skipIf((await findHelm()) === undefined)(
  'a chart that knows nothing of us, on this machine alone',
  () => {
    ledgerStories(() => openJourneyWorld(), {
      values: world => ({ kubeconfig: stateFiles(join(world.folder, 'state')).kubeconfig }),
    });
  },
);
