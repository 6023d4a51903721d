import { afterAll } from 'vitest';
import { findHelm } from '../../scripts/kubernetes/build/find-programs.ts';
import { ledgerStories } from '../charts/ledger.stories.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { openNodeWorld } from './node-world.ts';

// Who renders charts in this process looks there.
process.env['AFLOAT_HELM'] = await findHelm(line => process.stdout.write(`${line}\n`));

let takeVolumeAway = async () => {};

/** The volume that the chart's claim is for, and no other. */
async function makeVolume({ cluster, namespace, data }: JourneyWorld): Promise<void> {
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', name: `${namespace}-ledger` };
  await cluster.create({
    ...{ apiVersion: volume.apiVersion, kind: volume.kind, metadata: { name: volume.name } },
    spec: {
      ...{ accessModes: ['ReadWriteMany'], capacity: { storage: '1Gi' }, storageClassName: '' },
      hostPath: { path: data.folder, type: 'Directory' },
      claimRef: { namespace, name: 'ledger-data' },
    },
  });
  takeVolumeAway = async () => void (await cluster.delete(volume));
}

ledgerStories(openNodeWorld, {
  values: () => ({}), // pods have an account of their own
  data: ({ data }) => data.folder,
  prepare: makeVolume,
});

afterAll(() => takeVolumeAway());
