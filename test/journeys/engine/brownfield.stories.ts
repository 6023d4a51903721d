import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlowEnd } from '../../../src/api/flow-kinds.ts';
import type { PackageWish } from './a-package.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** An upgrade from 1.0.0 to 2.0.0 with an unsplit migration, unless told otherwise. */
interface Story {
  readonly faults: readonly string[];
  readonly wish?: PackageWish;
  readonly rollback?: { readonly software?: string; readonly data?: string };
  readonly asks?: { readonly question: 'rollback' | 'restore'; readonly answer: 'yes' | 'no' };
  readonly end: FlowEnd;
  readonly serves: string | undefined;
}

const whole: PackageWish = { strategy: 'recreate', data: 'sync' };
const beside: PackageWish = { strategy: 'bluegreen', head: '1' };
const allStories: Record<string, Story> = {
  healthy: { faults: [], end: 'operational', serves: '2.0.0' },
  restored: { faults: ['test'], end: 'rolledback', serves: '1.0.0' },
  worker: {
    ...{ faults: ['test'], wish: { ...whole, worker: true } },
    ...{ asks: { question: 'restore', answer: 'yes' }, end: 'rolledback', serves: '1.0.0' },
  },
  workerkept: {
    ...{ faults: ['test'], wish: { ...whole, worker: true } },
    ...{ asks: { question: 'restore', answer: 'no' }, end: 'held', serves: undefined },
  },
  nobackup: { faults: ['backup'], end: 'undone', serves: '1.0.0' },
  noproof: { faults: ['verify'], end: 'undone', serves: '1.0.0' },
  asksyes: {
    ...{ faults: ['test'], wish: beside, rollback: { software: 'ask' } },
    ...{ asks: { question: 'rollback', answer: 'yes' }, end: 'rolledback', serves: '1.0.0' },
  },
  asksno: {
    ...{ faults: ['test'], wish: beside, rollback: { software: 'ask' } },
    ...{ asks: { question: 'rollback', answer: 'no' }, end: 'held', serves: '1.0.0' },
  },
  holds: { faults: ['test'], wish: beside, rollback: { software: 'hold' }, end: 'held', serves: '1.0.0' },
  datayes: {
    ...{ faults: ['test'], rollback: { data: 'ask' } },
    ...{ asks: { question: 'restore', answer: 'yes' }, end: 'rolledback', serves: '1.0.0' },
  },
  datano: {
    ...{ faults: ['test'], rollback: { data: 'ask' } },
    ...{ asks: { question: 'restore', answer: 'no' }, end: 'held', serves: undefined },
  },
  datanever: { faults: ['test'], rollback: { data: 'never' }, end: 'irreconcilable', serves: undefined },
};

/** Upgrades and their ways back, told in the world that is given: all of them, or those that are named. */
export function brownfieldStories(open: OpenWorld, wanted?: readonly string[]): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const stories = Object.fromEntries(
    Object.entries(allStories).filter(([name]) => wanted?.includes(name) ?? true),
  );
  const names = Object.keys(stories);
  const rowsBefore = new Map<string, string[] | undefined>();

  const at = (version: string) =>
    names.map(name => ({
      name,
      version,
      ...(stories[name]?.rollback ? { rollback: stories[name].rollback } : {}),
    }));

  test(
    'services are there, and clients wrote to them',
    async () => {
      for (const [name, { wish = whole }] of Object.entries(stories)) {
        world.aPackage(name, '1.0.0', { ...wish, ...(wish.data ? { data: 'keep' as const } : {}) });
        world.aPackage(name, '2.0.0', wish);
      }
      await world.apply({ services: at('1.0.0'), maxParallel: 10 });
      for (const name of names) await world.untilFlowEnds(name, 'operational', 120);
      for (const name of names) {
        const load = await world.load(name, { clients: 2, perSecond: 40 });
        await world.until('some writes', async () => load.counts().requests > 20);
        await load.stop();
        expect(load.counts().failed).toBe(0);
        rowsBefore.set(name, world.data.rows(name));
      }
    },
    storyMs,
  );

  test(
    'all are upgraded at once, and each comes to its own end',
    async () => {
      for (const [name, { faults }] of Object.entries(stories))
        for (const version of ['1.0.0', '2.0.0'])
          world.data.setFaults(
            name,
            version,
            ...faults.filter(fault => fault !== 'test' || version === '2.0.0'),
          );
      await world.apply({ services: at('2.0.0'), maxParallel: 10 });
      // One of them will have no way back, and that needs a person's word.
      const [name = ''] = await world.approve();
      const plan = (await world.plans()).find(({ metadata }) => metadata.name === name);
      expect(plan?.spec.plan.pointOfNoReturn).toBe('datanever/upgrade');
      expect(
        plan?.spec.plan.steps.filter(({ consents }) => consents.length > 0).map(({ service }) => service),
      ).toEqual(['datanever']);
      for (const [name, { asks }] of Object.entries(stories)) {
        if (!asks) continue;
        const flow = await world.until(
          `the question of ${name}`,
          async () => {
            const newest = await world.flowOf(name);
            return newest?.status?.question?.question === asks.question && newest;
          },
          90,
        );
        expect(flow.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
          status: 'True',
          reason: 'WaitsForAnswer',
        });
        await world.answer(flow, asks.answer);
      }
      for (const [name, { end }] of Object.entries(stories)) await world.untilFlowEnds(name, end, 90);
    },
    storyMs,
  );

  test.each(names)('%s: who serves, and what the data is', async name => {
    const { serves, end } = stories[name] as Story;
    expect((await world.serving(name))?.version).toBe(serves);
    const rows = world.data.rows(name);
    if (name === 'healthy') {
      expect(rows?.length).toBe(rowsBefore.get(name)?.length);
      expect(rows?.find(row => row.includes('"name"'))).toBeUndefined();
      expect(world.data.schema(name)).toEqual({ expandedTo: '2', contractedTo: '2' });
    } else if (!name.startsWith('datan') && !name.startsWith('worker')) {
      expect(rows).toEqual(rowsBefore.get(name));
      expect(world.data.schema(name)).toEqual({ expandedTo: '1', contractedTo: '1' });
    }
    const status = (await world.record()).status?.services?.find(one => one.name === name);
    if (end === 'operational') expect(status).toMatchObject({ version: '2.0.0', state: 'Operational' });
    else expect(status).toMatchObject({ version: '1.0.0', wanted: '2.0.0' });
  });

  test('nothing is lost that a workload wrote which nobody drains, although data went back', async () => {
    if (!names.includes('worker')) return;
    const flow = await world.flowOf('worker');
    const moves = flow?.status?.moves?.map(({ id }) => id) ?? [];
    expect(moves.indexOf('main/stop:old')).toBeLessThan(moves.indexOf('main/back-up:new'));
    expect(world.data.ledger('worker')).toContain('1.0.0 restore done');
    const told = world.data.worked('worker', '1.0.0');
    const rows = new Set(world.data.rows('worker'));
    expect(told.length).toBeGreaterThan(5);
    expect(told.filter(row => !rows.has(row))).toEqual([]);
  });

  test('nothing that a workload of the new version wrote before its test goes, unless a person says so', async () => {
    if (!names.includes('workerkept')) return;
    const flow = await world.flowOf('workerkept');
    expect(flow?.spec.planned?.step.unrouted).toBe(true);
    const told = world.data.worked('workerkept', '2.0.0');
    const rows = new Set(world.data.rows('workerkept'));
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter(row => !rows.has(row))).toEqual([]);
  });

  test('a backup or its proof that failed stopped everything before the schema was touched', async () => {
    for (const name of ['nobackup', 'noproof'].filter(one => names.includes(one))) {
      const touched = world.data.ledger(name).filter(line => /sync|restore|2\.0\.0 test/.test(line));
      expect(touched).toEqual([]);
      expect((await world.revisions(name)).map(({ spec }) => spec.version)).toEqual(['1.0.0']);
    }
    const order = world.data
      .ledger('restored')
      .filter(line => line.startsWith('2.0.0') || line.includes('restore'));
    expect(order.filter(line => !line.endsWith('began'))).toEqual([
      ...[
        '2.0.0 preflight done',
        '2.0.0 state done',
        '2.0.0 backup done',
        '2.0.0 verify done',
        '2.0.0 sync done',
        '2.0.0 test failed',
      ],
      '1.0.0 restore done',
    ]);
  });
}
