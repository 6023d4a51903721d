import type { EmbeddedCluster } from '../../../src/cluster/embedded/embedded-cluster.ts';
import { identityOf } from '../../../src/runtime/process/process-identity.ts';
import { openJourneyWorld } from '../engine/journey-world.ts';
import { processesWith } from '../runtime/our-processes.ts';
import { onlyWhatChangesStories } from './only-what-changes.stories.ts';

onlyWhatChangesStories(() => openJourneyWorld(), {
  types: world =>
    (world.cluster as EmbeddedCluster)
      .kinds()
      .filter(({ kind, isNamespaced }) => kind !== 'Event' && isNamespaced)
      .map(({ group, version, kind }) => ({
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
      })),
  processes: (world, services) => {
    const found = services
      .flatMap(name => processesWith(`SERVICE=${name}`))
      .map(line => `${JSON.stringify(identityOf(Number(line.split(' ')[0])))} ${line}`)
      .filter(line => line.includes(world.folder));
    if (found.length < services.length) throw new TypeError(`few processes:\n${found.join('\n')}`);
    return found.sort();
  },
});
