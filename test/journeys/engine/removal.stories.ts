import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredObject } from '../../../src/cluster/cluster.ts';
import { journeyPerson } from './journey-place.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** A Pod without how well it is: on a busy machine one may answer late for a moment, which nobody did to it. */
function withoutHealth(pod: StoredObject): unknown {
  const { uid, labels, annotations, generation } = pod.metadata;
  const { containerStatuses = [] } = (pod['status'] ?? {}) as {
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly containerID?: string }[];
  };
  const runs = containerStatuses.map(({ restartCount, containerID }) => [restartCount, containerID]);
  return { uid, labels, annotations, generation, spec: pod['spec'], runs };
}

/** Services that are removed and come again, told in the world that is given. */
export function removalStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const both = ['kept', 'purged'].map(name => ({ name, version: '1.0.0' }));
  const stays = { name: 'stays', version: '1.0.0' };
  let rows: string[] | undefined;
  let others: unknown[] = [];

  test(
    'a service that is left out of the record is not removed, and the record says what a person can do',
    async () => {
      for (const name of ['kept', 'purged', 'stays']) world.aPackage(name, '1.0.0');
      await world.apply({ services: [...both, stays] });
      for (const { name } of [...both, stays]) await world.untilFlowEnds(name, 'operational');
      for (const { name } of both) {
        const load = await world.load(name, { clients: 2, perSecond: 40 });
        await world.until('some writes', async () => load.counts().requests > 20);
        await load.stop();
      }
      rows = world.data.rows('kept');
      others = (await world.pods('stays')).map(withoutHealth);
      await world.apply({ services: [stays] });
      const record = await world.untilCondition('Ready', 'False', 'RemovalNeedsConsent');
      expect(record.status?.conditions?.find(({ type }) => type === 'Stalled')?.message).toMatch(/removed/);
      expect(await world.serving('kept')).toMatchObject({ version: '1.0.0' });
      expect(await world.flows()).toHaveLength(3);
    },
    storyMs,
  );

  test(
    'a removal keeps the data; a purge needs a consent of its own, takes a backup first, and removes it',
    async () => {
      await world.apply({
        services: [stays],
        removed: [{ name: 'kept' }, { name: 'purged', purgeData: true }],
      });
      const plan = await world.until('the plan', async () => {
        const newest = (await world.plans()).at(-1);
        return newest?.status?.state === 'WaitingForApproval' && newest;
      });
      expect(plan.spec.plan.steps.map(({ id, consents }) => `${id} ${consents.join()}`).sort()).toEqual([
        'kept/uninstall ',
        'purged/uninstall purge',
      ]);
      // An approval without the consent is not enough.
      const { digest } = plan.spec;
      await world.patchSpec(plan, {
        approval: { digest, approvedBy: journeyPerson, approvedAt: new Date().toISOString() },
      });
      await world.until('the word that a consent is missing', async () => {
        const message = (await world.plans())
          .at(-1)
          ?.status?.conditions?.find(({ type }) => type === 'Stalled')?.message;
        return message?.includes('purged/uninstall=purge');
      });
      expect(await world.flows()).toHaveLength(3);
      const beside = await world.load('stays');
      await world.approvePlan(plan);
      await world.untilFlowEnds('kept', 'removed');
      await world.untilFlowEnds('purged', 'removed');
      await beside.stop();
      expect(beside.lastFailure).toBeUndefined();
      expect(world.data.rows('kept')).toEqual(rows);
      expect(world.data.rows('purged')).toBeUndefined();
      const purge = world.data.ledger('purged').filter(line => /(backup|verify|drop) done/.test(line));
      expect(purge).toEqual(['1.0.0 backup done', '1.0.0 verify done', '1.0.0 drop done']);
      for (const { name } of both)
        await world.until(
          `the end of the pods of ${name}`,
          async () => (await world.pods(name)).length === 0,
        );
      await world.untilReady();
    },
    storyMs,
  );

  test(
    'of the service beside them nothing was touched',
    async () => {
      expect((await world.pods('stays')).map(withoutHealth)).toEqual(others);
      expect(await world.flows('stays')).toHaveLength(1);
    },
    storyMs,
  );

  test(
    'installed again, it finds the data that was kept; what was purged begins anew',
    async () => {
      await world.apply({ services: [stays, ...both] });
      await world.untilFlowEnds('kept', 'operational');
      await world.untilFlowEnds('purged', 'operational');
      expect(world.data.rows('kept')).toEqual(rows);
      expect(world.data.rows('purged')).toEqual([]);
      const [id] =
        rows
          ?.find(row => row.startsWith('users/'))
          ?.slice(6)
          .split(' ') ?? [];
      const { address, port } = await world.address('kept');
      expect((await fetch(`http://${address}:${port}/v3/users/${id}`)).status).toBe(200);
      await world.untilReady();
    },
    storyMs,
  );
}
