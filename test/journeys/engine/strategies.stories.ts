import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientLoad } from '../../../scripts/start/client-load.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** What each strategy does, told in the world that is given. */
export function strategyStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const at = (version: string, values = {}) =>
    ['colour', 'slices', 'single'].map(name => ({ name, version, ...(name === 'colour' ? { values } : {}) }));
  const loads = new Map<string, ClientLoad>();

  test(
    'a service of each strategy is installed',
    async () => {
      for (const version of ['1.0.0', '1.1.0']) {
        world.aPackage('colour', version, { strategy: 'bluegreen', head: '1' });
        world.aPackage('slices', version, { strategy: 'rolling', replicas: 3, slices: 3, head: '1' });
        world.aPackage('single', version, { strategy: 'recreate', head: '1' });
      }
      await world.apply({ services: at('1.0.0') });
      for (const { name } of at('1.0.0')) await world.untilFlowEnds(name, 'operational');
      expect(await world.pods('slices')).toHaveLength(3);
      const { status } = await world.untilReady();
      expect(status?.services?.map(({ name, version, state }) => `${name} ${version} ${state}`)).toEqual([
        'colour 1.0.0 Operational',
        'single 1.0.0 Operational',
        'slices 1.0.0 Operational',
      ]);
    },
    storyMs,
  );

  test(
    'all are upgraded under load: what can run twice loses nothing, and what cannot says so before',
    async () => {
      for (const { name } of at('1.1.0'))
        loads.set(name, await world.load(name, { clients: 4, perSecond: 20 }));
      await world.apply({ services: at('1.1.0'), approval: 'manual' });
      const [name] = await world.approve();
      const plan = (await world.plans()).find(({ metadata }) => metadata.name === name);
      const impacts = plan?.spec.plan.steps.map(({ service, impact }) => `${service} ${impact.api}`);
      expect(impacts?.sort()).toEqual(['colour none', 'single outage', 'slices none']);
      for (const service of ['colour', 'slices', 'single']) await world.untilFlowEnds(service, 'operational');
      for (const [service, load] of loads) {
        await load.stop();
        expect(await load.checkWrites(), service).toMatchObject({ lost: [] });
        expect(await world.serving(service)).toMatchObject({ version: '1.1.0' });
        expect(load.counts().byVersion['1.0.0']).toBeGreaterThan(0);
      }
      expect(loads.get('colour')?.lastFailure).toBeUndefined();
      expect(loads.get('slices')?.lastFailure).toBeUndefined();
    },
    storyMs,
  );

  test('the outage of the one that cannot run twice is as long as it had no traffic, and no longer', async () => {
    const flow = await world.flowOf('single');
    const timeOf = (id: string, field: 'startedAt' | 'finishedAt') =>
      Date.parse(flow?.status?.moves?.find(move => move.id === id)?.[field] ?? '');
    const seconds =
      (timeOf('main/give-traffic:new', 'finishedAt') - timeOf('main/take-traffic:old', 'startedAt')) / 1000;
    const { failed, requests } = loads.get('single')?.counts() ?? { failed: 0, requests: 0 };
    expect(failed).toBeGreaterThan(0);
    // Four clients, twenty requests a second, and a second for what was under way at both ends.
    expect(failed).toBeLessThanOrEqual(20 * (seconds + 1) + 4);
    expect(requests).toBeGreaterThan(failed);
  });

  test('the slices went one after the other, each tested before it got traffic', async () => {
    const flow = await world.flowOf('slices');
    expect(flow?.status?.moves?.map(({ id }) => id).filter(id => id.includes('#'))).toEqual([
      ...['main/take-traffic:old#1', 'main/apply:new#1', 'main/test:new#1', 'main/give-traffic:new#1'],
      ...['main/take-traffic:old#2', 'main/apply:new#2', 'main/test:new#2', 'main/give-traffic:new#2'],
      ...['main/take-traffic:old#3', 'main/apply:new#3', 'main/test:new#3', 'main/give-traffic:new#3'],
    ]);
    const tested = world.data
      .lines('slices')
      .filter(({ version, task, state }) => version === '1.1.0' && task === 'test' && state === 'done');
    expect(tested.map(({ slice }) => slice)).toEqual(['1', '2', '3']);
  });

  test(
    'a replica count is changed in place: the same processes go on, and no traffic phase is there',
    async () => {
      const before = (await world.pods('colour')).map(({ metadata }) => metadata.uid);
      const served = await world.serving('colour');
      const load = await world.load('colour');
      await world.apply({ services: at('1.1.0', { replicas: 2 }) });
      const flow = await world.untilFlowEnds('colour', 'operational');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(flow.spec.planned?.step.strategy).toBe('inplace');
      expect((await world.phases(flow.metadata.name)).map(({ kind }) => kind)).toEqual(['OperationalPhase']);
      const after = await world.pods('colour');
      expect(after).toHaveLength(2);
      expect(after.map(({ metadata }) => metadata.uid)).toEqual(expect.arrayContaining(before));
      await world.until(
        'an answer of the process of before',
        async () => (await world.serving('colour'))?.pid === served?.pid,
      );
      await world.apply({ services: at('1.1.0', { replicas: 1 }) });
      await world.untilFlowEnds('colour', 'operational');
      await world.until('one pod', async () => (await world.pods('colour')).length === 1);
    },
    storyMs,
  );
}
