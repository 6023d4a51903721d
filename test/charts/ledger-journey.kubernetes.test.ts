import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe } from 'vitest';
import { findHelm, missingForHelm } from '../../scripts/kubernetes/build/find-programs.ts';
import { stateFiles } from '../../src/app/state-folder.ts';
import { openJourneyWorld } from '../journeys/engine/journey-world.ts';
import { ledgerStories } from './ledger.stories.ts';

const missing = await missingForHelm();
// Who renders charts in this process looks there.
if (missing === undefined) process.env['AFLOAT_HELM'] = await findHelm(() => {});

/** The only claim there is. */
function claimFolder(runtime: string): string {
  const files = readdirSync(runtime, { recursive: true, encoding: 'utf8' });
  return join(runtime, dirname(files.find(path => basename(path) === 'ledger.jsonl') ?? ''));
}

describe.skipIf(missing !== undefined)('a chart that knows nothing of us, on this machine alone', () => {
  ledgerStories(() => openJourneyWorld(), {
    values: ({ folder }) => ({ kubeconfig: stateFiles(join(folder, 'state')).kubeconfig }),
    data: ({ folder }) => claimFolder(stateFiles(join(folder, 'state')).runtime),
  });
});
