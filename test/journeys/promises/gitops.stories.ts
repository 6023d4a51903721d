import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordType } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** A tool that applies the record again and again, told in the world that is given. */
export function gitopsStories(open: OpenWorld): void {
  let world: JourneyWorld;
  const stop = new AbortController();
  let tool: Promise<number>;
  beforeAll(async () => {
    world = await open();
    aService(world, 'shop', '1.0.0');
    aService(world, 'shop', '1.1.0');
    world.data.setFaults('shop', '1.1.0', 'broken');
    await apply('1.0.0');
    await world.untilFlowEnds('shop', 'operational');
  }, storyMs);
  afterAll(async () => {
    stop.abort();
    await tool;
    await world.close();
  }, storyMs);

  const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }] });

  /** Applies the record as it is now, every second, in the name of somebody else, as a tool that follows a git repository does. */
  async function applyAgainAndAgain(): Promise<number> {
    const { apiVersion, kind, metadata, spec } = await world.record();
    const value = { apiVersion, kind, metadata: { name: metadata.name, namespace: world.namespace }, spec };
    let times = 0;
    while (!stop.signal.aborted) {
      const ref = { ...recordType, namespace: world.namespace, name: world.recordName };
      await world.cluster.patch(ref, {
        type: 'apply',
        fieldManager: 'git',
        force: true,
        value: value as never,
      });
      times += 1;
      await pause(1000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return times;
  }

  test(
    'a record that is applied every second starts one upgrade, which fails, goes back and is held',
    async () => {
      await apply('1.1.0');
      tool = applyAgainAndAgain();
      await world.untilFlowEnds('shop', 'rolledback');
      await world.untilCondition('Stalled', 'True', 'HeldAfterRollback');
      await pause(5000);
      const flows = await world.flows('shop');
      expect(flows.map(({ spec, status }) => `${spec.flowKind} ${status?.end}`)).toEqual([
        'install operational',
        'upgrade rolledback',
      ]);
      expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
      const conditions = (await world.record()).status?.conditions ?? [];
      const said = Object.fromEntries(
        conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
      );
      expect(said).toMatchObject({
        Available: expect.stringMatching(/^True/),
        Ready: 'False HeldAfterRollback',
      });
    },
    storyMs,
  );

  test(
    'what a person lets be tried again is tried once, however often the record is applied',
    async () => {
      world.data.setFaults('shop', '1.1.0');
      const [, failed] = await world.flows('shop');
      await world.patchSpec(failed ?? expect.unreachable(), { released: true });
      await world.untilFlowEnds('shop', 'operational');
      await pause(3000);
      expect(await world.flows('shop')).toHaveLength(3);
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
      stop.abort();
      expect(await tool).toBeGreaterThan(5);
    },
    storyMs,
  );
}
