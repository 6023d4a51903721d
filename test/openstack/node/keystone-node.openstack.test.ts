/** Real Keystone and MariaDB as pods of a real node, changed under clients of its Service by the operator in the cluster. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlowEnd } from '../../../src/api/flow-kinds.ts';
import { operatorName, operatorNamespace } from '../../../src/app/deploy/deploy-names.ts';
import type { FlowObject } from '../../../src/controller/our-objects.ts';
import { kubectlOf } from '../../kubernetes/run-kubectl.ts';
import { failsItsTest } from '../faulty-releases.ts';
import { keystoneRows, missingRows } from '../keystone-rows.ts';
import {
  applyKeystone,
  installKeystone,
  keystoneVersions,
  movesOf,
  patience,
  servedVersion,
  storyMs,
  takeVariant,
} from '../keystone-world.ts';
import { unnoticed } from '../unnoticed.ts';
import { type NodeKeystone, openNodeKeystone } from './node-keystone.ts';

const { first, patched, next } = keystoneVersions;
const failing = `${next}-failing`;
const dataMove = /back-up|expand|migrate|contract|restore/;

let cloud: NodeKeystone;
beforeAll(async () => {
  cloud = await openNodeKeystone();
}, storyMs);
afterAll(() => cloud?.close(), storyMs);

/** The flow that something makes, with clients all the while; none of them notices. */
function flowUnnoticed(change: () => Promise<unknown>, end: FlowEnd = 'operational'): Promise<FlowObject> {
  return unnoticed(cloud.world, async () => {
    await change();
    return cloud.world.untilFlowEnds('keystone', end, patience);
  });
}

test(
  'a cloud of MariaDB, memcached and Keystone is installed',
  async () => {
    await installKeystone(cloud.world);
    expect(await servedVersion(cloud.world)).toBe(first);
  },
  storyMs,
);

test(
  'a security patch comes without a step on data, and no client notices',
  async () => {
    const flow = await flowUnnoticed(() => applyKeystone(cloud.world, patched));
    expect(await servedVersion(cloud.world)).toBe(patched);
    expect((await movesOf(cloud.world, flow)).filter(id => dataMove.test(id))).toEqual([]);
  },
  storyMs,
);

test(
  'a release whose test fails is taken back, no client notices, and every row is there',
  async () => {
    const { world } = cloud;
    await takeVariant(world, failing, failsItsTest);
    const before = await keystoneRows(world);
    const wish = { allowUnsupportedJump: true };
    const flow = await flowUnnoticed(() => applyKeystone(world, failing, wish), 'rolledback');
    expect(flow.status?.because).toContain('it was not to be');
    expect(await servedVersion(world)).toBe(patched);
    const moves = (await movesOf(world, flow)).map(id => id.replace(/:.*/, ''));
    expect(moves.indexOf('verify-backup')).toBeLessThan(moves.indexOf('expand'));
    expect(moves).not.toContain('restore');
    // The schema is the newer one's, which both know; all else is as it was.
    const { alembic_version: _, ...missing } = missingRows(before, await keystoneRows(world));
    expect(missing).toEqual({});
  },
  storyMs,
);

test(
  'the release itself comes, and goes on request, and no client notices either',
  async () => {
    const { world } = cloud;
    await flowUnnoticed(() => applyKeystone(world, next, { allowUnsupportedJump: true }));
    expect(await servedVersion(world)).toBe(next);
    const before = await keystoneRows(world);
    await flowUnnoticed(async () => world.approvePlan(await world.ask({ rollback: 'keystone' })));
    expect(await servedVersion(world)).toBe(patched);
    expect(missingRows(before, await keystoneRows(world))).toEqual({});
    await world.untilCondition('Ready', 'False', 'HeldAfterRollback', patience);
  },
  storyMs,
);

test('the operator did all of it with the rights that are shipped', async () => {
  const kubectl = kubectlOf(cloud.node, operatorNamespace);
  const log = await kubectl('logs', `deployment/${operatorName}`, '--all-pods', '--tail=-1');
  expect(log).toContain('"leading"');
  expect(log.split('\n').filter(line => /forbidden/i.test(line))).toEqual([]);
});
