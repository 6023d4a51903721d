import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/**
 * Installs that go well and that do not, told in the world that is given; one that fails its first clients, only where a router counts
 * requests.
 */
export function greenfieldStories(open: OpenWorld, { counts = true } = {}): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const names = ['well', 'badtest', 'unready', 'crashes', ...(counts ? ['badlater'] : [])];
  const services = names.map(name => ({ name, version: '1.0.0' }));

  /** Clients of a service that is well in its test, and no more when they come. */
  async function failFirstClients() {
    await world.until('the test of badlater', async () =>
      world.data.ledger('badlater').includes('1.0.0 test done'),
    );
    world.data.setFaults('badlater', '1.0.0', 'errors');
    return world.load('badlater', { clients: 8, perSecond: 60 });
  }

  test(
    'services are installed at once: one is well, one fails its test, one its first clients, two never come up',
    async () => {
      world.aPackage('well', '1.0.0', { replicas: 2 });
      world.aPackage('badtest', '1.0.0', { faults: ['test'] });
      world.aPackage('unready', '1.0.0', { faults: ['unready'], startSeconds: 3 });
      world.aPackage('crashes', '1.0.0', {
        faults: ['crash', 'fork'],
        startSeconds: 10 * world.place.patience,
      });
      world.aPackage('badlater', '1.0.0', { traffic: { stepSeconds: 5 } });
      await world.apply({ services, maxParallel: 5 });
      const unlucky = counts ? await failFirstClients() : undefined;
      await world.untilFlowEnds('well', 'operational');
      for (const name of ['badtest', 'unready', 'crashes']) await world.untilFlowEnds(name, 'takenback');
      if (counts) await world.untilFlowEnds('badlater', 'withdrawn');
      await unlucky?.stop();
    },
    storyMs,
  );

  test(
    'the one that is well serves, with its data, tested before it got traffic',
    async () => {
      expect(await world.serving('well')).toMatchObject({ version: '1.0.0', slice: 'blue' });
      expect(world.data.ledger('well').filter(line => line.endsWith('done'))).toEqual([
        '1.0.0 preflight done',
        '1.0.0 init done',
        '1.0.0 test done',
      ]);
      const [flow] = await world.flows('well');
      const moves = flow?.status?.moves?.map(({ id, state }) => `${id} ${state}`);
      expect(moves).toEqual([
        'main/check:new done',
        'main/create-data:new done',
        'main/apply:new done',
        'main/test:new done',
        'main/give-traffic:new done',
        'main/settle:new done',
      ]);
      const [revision] = await world.revisions('well');
      expect(revision?.spec).toMatchObject({ number: 1, version: '1.0.0', flow: 'install' });
      expect(revision?.spec.schemas).toEqual([{ database: 'well', expandedTo: '1', contractedTo: '1' }]);
    },
    storyMs,
  );

  test(
    'of the one whose test failed nothing is left, neither data nor software, and it is held',
    async () => {
      expect(world.data.rows('badtest')).toBeUndefined();
      expect(world.data.ledger('badtest')).toContain('1.0.0 drop done');
      expect(await world.pods('badtest')).toEqual([]);
      for (const type of [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v1', kind: 'Service' },
        { apiVersion: 'v1', kind: 'ConfigMap' },
      ]) {
        const { items } = await world.cluster.list(type, { namespace: world.namespace });
        expect(items.map(({ metadata }) => metadata.name).filter(name => name.startsWith('badtest'))).toEqual(
          [],
        );
      }
      expect(await world.revisions('badtest')).toEqual([]);
      const { status } = await world.untilCondition('Available', 'False');
      const said = status?.services?.find(({ name }) => name === 'badtest');
      expect(said).toMatchObject({ state: 'Absent', reason: 'HeldAfterRollback' });
    },
    storyMs,
  );

  test.runIf(counts)(
    'the one that failed its clients has no traffic, and software and data are kept for a look',
    async () => {
      expect(await world.serving('badlater')).toBeUndefined();
      expect(await world.pods('badlater')).toHaveLength(1);
      expect(world.data.rows('badlater')).toBeDefined();
      const [flow] = await world.flows('badlater');
      expect(flow?.status?.because).toMatch(/fails more than it may/);
      expect(flow?.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
        status: 'True',
        reason: 'Withdrawn',
      });
    },
    storyMs,
  );

  test(
    'software that never comes up is taken away with its data, and the flow says what it saw',
    async () => {
      for (const [name, says] of [
        ['unready', /main\/apply:new: Deployment unready-blue/],
        ['crashes', /told to crash/],
      ] as const) {
        expect((await world.flowOf(name))?.status?.because).toMatch(says);
        expect(world.data.rows(name)).toBeUndefined();
        expect(await world.pods(name)).toEqual([]);
        expect(world.data.ledger(name)).not.toContain('1.0.0 test began');
      }
    },
    storyMs,
  );

  test(
    'a better version of what was held is installed, though its schema is another',
    async () => {
      world.aPackage('unready', '2.0.0', { strategy: 'recreate', data: 'sync' });
      const better = services.map(one => (one.name === 'unready' ? { ...one, version: '2.0.0' } : one));
      const beside = await world.load('well');
      await world.apply({ services: better, maxParallel: 5 });
      await world.untilFlowEnds('unready', 'operational');
      await beside.stop();
      expect(beside.lastFailure).toBeUndefined();
      expect(await world.serving('unready')).toMatchObject({ version: '2.0.0' });
      expect(world.data.schema('unready')).toEqual({ expandedTo: '2', contractedTo: '2' });
    },
    storyMs,
  );

  test(
    'applying the same record again starts nothing; a changed package of the held one does',
    async () => {
      const same = {
        services: services.map(one => (one.name === 'unready' ? { ...one, version: '2.0.0' } : one)),
      };
      for (let i = 0; i < 5; i++) await world.apply(same);
      await world.engine.idle();
      expect(await world.flows()).toHaveLength(names.length + 1);
      world.aPackage('badtest', '1.0.0', {});
      await world.apply(same);
      await world.untilFlowEnds('badtest', 'operational', 40);
      expect(await world.serving('badtest')).toMatchObject({ version: '1.0.0' });
      expect(await world.flows('crashes')).toHaveLength(1);
    },
    storyMs,
  );
}
