/** The HAProxy of the package as a Pod of a real node: the same root, as an image. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestNode } from '../../../scripts/kubernetes/test-node.ts';
import { loadServiceImages } from '../../../scripts/openstack/images/load-service-images.ts';
import { composeOne } from '../../../scripts/openstack/packages/compose-packages.ts';
import { MasterCli } from '../../../src/traffic/haproxy/master-cli.ts';
import { type JourneyWorld, openJourneyWorld } from '../../journeys/engine/journey-world.ts';
import { nodePlace } from '../../kubernetes/node-place.ts';
import { patience, storyMs } from '../keystone-world.ts';

const version = '2.6.12';
const say = (line: string) => process.stdout.write(`${line}\n`);

let world: JourneyWorld;
let stop: () => Promise<void> = async () => {};
beforeAll(async () => {
  const started = await startTestNode(say);
  stop = started.stop;
  await loadServiceImages(started.node, say);
  world = await openJourneyWorld(folder => nodePlace(started.node, folder));
  const folder = join(world.folder, 'composed');
  await composeOne('haproxy', version, { folder });
  world.takePackage(join(folder, 'haproxy', version), 'haproxy', version);
}, storyMs);
afterAll(async () => {
  try {
    await world?.close();
  } finally {
    await stop();
  }
}, storyMs);

/** Says how HAProxy shall be, and waits until its test has passed. Gives the Pods that are there then. */
async function become(connections: number): Promise<string[]> {
  const values = { folder: join(world.folder, 'haproxy'), connections };
  await world.apply({ soakSeconds: 1, services: [{ name: 'haproxy', version, values }] });
  await world.untilFlowEnds('haproxy', 'operational', patience);
  const there = (await world.pods('haproxy')).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  return there.map(({ metadata }) => metadata.name);
}

test(
  'it passes its test on a node, its master answers in the folder of the machine, and another setting is another Pod',
  async () => {
    const before = await become(2000);
    expect(before).toHaveLength(1);
    const master = new MasterCli(join(world.folder, 'haproxy/master.sock'));
    expect((await master.processes()).workers).toHaveLength(1);
    const after = await become(3000);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect((await master.processes()).workers).toHaveLength(1);
  },
  storyMs,
);
