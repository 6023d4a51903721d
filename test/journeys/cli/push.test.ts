/** A record that something else applies, and packages that a person pushes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../../../src/app/operate.ts';
import { plansBeside } from '../../../src/app/plan-current.ts';
import { recordType } from '../../../src/controller/our-objects.ts';
import { runAfloat } from '../../cli/run-afloat.ts';
import { scriptedApp } from '../../cli/scripted-app.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
});
afterAll(() => world.close(), 120_000);

test('a record whose packages are not there names the command that brings them, and goes on after it', async () => {
  world.aPackage('shop', '1.0.0', { head: '1' });
  const { cluster, namespace } = world;
  const metadata = { name: world.recordName, namespace };
  const spec = {
    source: { type: 'local', location: 'packages/{name}/{version}' },
    shared: { data: world.data.folder },
    approval: 'automatic',
    services: [{ name: 'shop', version: '1.0.0' }],
  };
  await cluster.create({ ...recordType, metadata, spec });
  const refused = await world.untilCondition('Stalled', 'True', 'PackageNotInCluster');
  const { message } = refused.status?.conditions?.find(({ type }) => type === 'Stalled') ?? {};
  expect(message).toContain('afloat push');
  const file = join(world.folder, 'cloud.yaml');
  writeFileSync(file, JSON.stringify({ ...recordType, metadata, spec }));
  const verbs = operate(cluster, { podLogs: async function* () {}, plans: plansBeside(cluster) });
  const app = { ...scriptedApp([]), connect: async () => ({ verbs, close: async () => {} }) };
  expect(await runAfloat(['push', file], { app, folder: world.folder })).toMatchObject({ code: 0, err: '' });
  await world.untilSettled('shop');
  expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
}, 180_000);
