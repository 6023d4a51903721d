/** What stories of faults have in common: a wish for a release, the moment of a flow, and the end on the version that served before. */
import { expect } from 'vitest';
import type { Variant } from '../../scripts/openstack/packages/compose-package.ts';
import type { FlowObject } from '../../src/controller/our-objects.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { keystoneRows, missingRows, type Rows } from './keystone-rows.ts';
import {
  applyKeystone,
  type KeystoneWish,
  keystoneVersions,
  patience,
  servedVersion,
  takeVariant,
} from './keystone-world.ts';

const { first, next } = keystoneVersions;

/** Wishes for a variant of the next release, under a name that no other story uses, with few calls in its test. */
export async function wishForVariant(
  world: JourneyWorld,
  name: string,
  variant: Variant,
  wish: KeystoneWish = {},
): Promise<void> {
  const version = `${next}-${name}`;
  await takeVariant(world, version, variant);
  await applyKeystone(world, version, { allowUnsupportedJump: true, values: { testCalls: 10 }, ...wish });
}

/** Wishes for the next release as it is. What was taken back is held, so each story asks for another number of calls in its test. */
export function wishForNext(world: JourneyWorld, testCalls: number): Promise<number> {
  return applyKeystone(world, next, { allowUnsupportedJump: true, values: { testCalls } });
}

/** Waits until a move of the newest flow, which must be another than `former`, is in one of these states. */
export function untilMove(
  world: JourneyWorld,
  former: FlowObject | undefined,
  move: string,
  ...states: readonly string[]
): Promise<FlowObject> {
  return world.until(
    `${move} to be ${states.join(' or ')}`,
    async () => {
      const flow = await world.flowOf('keystone');
      if (!flow || flow.metadata.name === former?.metadata.name) return undefined;
      const found = flow.status?.moves?.find(({ id }) => id === move);
      if (found && states.includes(found.state)) return flow;
      if (flow.status?.end !== undefined) throw new TypeError(await world.describe());
      return undefined;
    },
    patience,
  );
}

/** The first version serves, alone, with every row of before. Then the record says what is so. */
export async function expectFirst(world: JourneyWorld, before: Rows): Promise<void> {
  expect(await servedVersion(world)).toBe(first);
  const slices = new Set((await world.pods('keystone')).map(({ metadata }) => metadata.labels?.['slice']));
  expect(slices.size).toBe(1);
  await expectRows(world, before);
  const { status } = await world.untilCondition('Ready', 'False', 'HeldAfterRollback', patience);
  expect(status?.conditions?.find(({ type }) => type === 'Available')).toMatchObject({ status: 'True' });
  await applyKeystone(world, first);
  await world.untilReady(patience);
}

/** Every row of before is there; how far the schema is may have changed. */
export async function expectRows(world: JourneyWorld, before: Rows): Promise<void> {
  const { alembic_version: _, ...missing } = missingRows(before, await keystoneRows(world));
  expect(missing).toEqual({});
}
