/** The example cloud, as it lies in the repository, on a real node. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examplePackages, loadExampleImages } from '../../scripts/kubernetes/example/example-images.ts';
import { exampleVolume } from '../../scripts/kubernetes/example/example-volume.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { openNodeWorld, theNode } from './node-world.ts';

let world: JourneyWorld;
const volumeOf = () => exampleVolume(world.namespace, join(world.folder, 'database'));
beforeAll(async () => {
  await loadExampleImages(await theNode());
  world = await openNodeWorld();
  for (const { folder, name, version } of examplePackages()) world.takePackage(folder, name, version);
  await world.cluster.create(volumeOf());
}, 180_000);
afterAll(async () => {
  const { name } = volumeOf().metadata;
  await world.cluster.delete({ apiVersion: 'v1', kind: 'PersistentVolume', name: name ?? '' });
  await world.close();
}, 180_000);

const wish = (versions: { identity: string; image: string }) => ({
  shared: { region: 'north' },
  soakSeconds: 3,
  services: [
    { name: 'database', version: '10.6.0' },
    { name: 'identity', version: versions.identity },
    { name: 'image', version: versions.image, values: { replicas: 2 } },
    { name: 'compute', version: '1.0.0' },
  ],
});

test('the whole cloud is installed, and every service answers', async () => {
  await world.apply(wish({ identity: '1.0.0', image: '1.0.0' }));
  for (const { name } of wish({ identity: '', image: '' }).services)
    await world.untilFlowEnds(name, 'operational', 60);
  await world.untilReady();
  for (const name of ['identity', 'image', 'compute'])
    expect(await world.serving(name), name).toMatchObject({ version: '1.0.0' });
}, 400_000);

test('identity is patched under clients, none of whom loses a request or a write', async () => {
  const load = await world.load('identity', { clients: 4, perSecond: 40 });
  await world.until('clients at work', async () => load.counts().requests > 40);
  await world.apply(wish({ identity: '1.0.1', image: '1.0.0' }));
  await world.untilFlowEnds('identity', 'operational', 60);
  await load.stop();
  expect(load.lastFailure).toBeUndefined();
  expect(load.counts().failed).toBe(0);
  expect(load.counts().byVersion).toMatchObject({
    '1.0.0': expect.any(Number),
    '1.0.1': expect.any(Number),
  });
  expect(await load.checkWrites()).toMatchObject({ lost: [] });
}, 300_000);

test('a version whose test fails is taken back, and identity goes on', async () => {
  const load = await world.load('identity', { clients: 4, perSecond: 40 });
  await world.apply(wish({ identity: '1.0.2', image: '1.0.0' }));
  await world.untilFlowEnds('identity', 'rolledback', 60);
  await load.stop();
  expect(load.lastFailure).toBeUndefined();
  expect(Object.keys(load.counts().byVersion)).toEqual(['1.0.1']);
  expect(await load.checkWrites()).toMatchObject({ lost: [] });
  await world.untilCondition('Ready', 'False', 'HeldAfterRollback');
}, 300_000);
