import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, type OpenWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** Ends the one copy of a service that serves, without a word to it, and returns when that one is gone. */
export type KillServing = (world: JourneyWorld, service: string) => Promise<void>;

/** What belongs to one slice, and what to nobody of ours, told in the world that is given, in which somebody can kill who serves. */
export function oldConfigStories(open: OpenWorld, killServing: KillServing): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
    aService(world, 'shop', '1.0.0', { key: 'first' });
    await apply('1.0.0');
    await world.untilFlowEnds('shop', 'operational');
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }] });
  const keyRef = () => ({ apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name: 'shop-key' });
  const keyNow = async () => {
    const { data } = (await world.cluster.get(keyRef())) as unknown as { data: { key: string } };
    return Buffer.from(data.key, 'base64').toString();
  };

  /** Somebody else writes the key, as a program that rotates it does. */
  async function rotate(key: string): Promise<string> {
    const data = { key: Buffer.from(key).toString('base64') };
    const patch = { type: 'merge', value: { data } } as const;
    return (await world.cluster.patch(keyRef(), patch, { fieldManager: 'rotator' })).metadata.resourceVersion;
  }

  const versionOfKey = async () => (await world.cluster.get(keyRef())).metadata.resourceVersion;

  /** A test that goes on until a file is there. */
  const waits = (file: string) => `while [ ! -e "$DATA/${file}" ]; do sleep 0.1; done; exit 1`;

  async function underTest(): Promise<void> {
    await world.until('the new slice under test', async () => {
      const flow = (await world.flows('shop')).at(-1);
      return flow?.status?.moves?.some(({ id, state }) => id === 'main/test:new' && state === 'running');
    });
  }

  test(
    'an old process that restarts while the new slice is under test finds the old config and serves',
    async () => {
      aService(world, 'shop', '1.1.0', { key: 'second', test: waits('go') });
      const before = await world.serving('shop');
      expect(before).toMatchObject({ version: '1.0.0', setting: 'of 1.0.0' });
      await apply('1.1.0');
      await underTest();
      await killServing(world, 'shop');
      const after = await world.until('the old slice', () => world.serving('shop'));
      expect(after).toMatchObject({ version: '1.0.0', setting: 'of 1.0.0', slice: before?.slice });
    },
    storyMs,
  );

  test(
    'a key that somebody else rotates in mid-upgrade is touched neither by the upgrade nor by the way back',
    async () => {
      expect(await keyNow()).toBe('first');
      const rotated = await rotate('rotated');

      writeFileSync(join(world.data.folder, 'go'), '');
      await world.untilFlowEnds('shop', 'rolledback');
      expect(await keyNow()).toBe('rotated');
      expect(await versionOfKey()).toBe(rotated);
    },
    storyMs,
  );

  test(
    'a key that was rotated is touched neither by an upgrade that succeeds nor by drift repair',
    async () => {
      const rotated = await rotate('rotated again');
      aService(world, 'shop', '1.2.0', { key: 'third' });
      await apply('1.2.0');
      const flow = await world.untilFlowEnds('shop', 'operational');
      const [slice] = flow.status?.newSlices ?? [];
      // Something drifts, so that repair has surely looked.
      await world.cluster.delete({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: world.namespace },
        name: `shop-etc-${slice}`,
      });
      await world.until('the repair', async () => {
        const { items } = await world.cluster.list(
          { apiVersion: 'v1', kind: 'ConfigMap' },
          { namespace: world.namespace },
        );
        return items.some(({ metadata }) => metadata.name === `shop-etc-${slice}`);
      });
      expect(await versionOfKey()).toBe(rotated);
      expect(await keyNow()).toBe('rotated again');
    },
    storyMs,
  );
}
