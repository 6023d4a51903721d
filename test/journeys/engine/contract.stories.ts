import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientLoad } from '../../../scripts/start/client-load.ts';
import { componentLabel, serviceLabel, sliceLabel } from '../../../src/api/labels.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** A schema that is expanded, contracted and restored, told in the world that is given. */
export function contractStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const at = (version: string) => [
    { name: 'onward', version },
    { name: 'backward', version },
  ];
  let atUpgrade: string[] | undefined;
  let load: ClientLoad;

  /** A pod of the slice that served before. */
  const oldPod = (slice: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name: 'left-over', namespace: world.namespace },
      labels: { [serviceLabel]: 'onward', [componentLabel]: 'onward', [sliceLabel]: slice },
    },
    spec: { containers: [{ name: 'old', image: 'journey/onward:1.0.0', command: ['sleep', '1000'] }] },
  });

  /** The flow, when it asks whether data shall be restored. */
  const untilItAsks = () =>
    world.until('the question', async () => {
      const flow = await world.flowOf('onward');
      return flow?.status?.question?.question === 'restore' && flow;
    });

  test(
    'an upgrade expands the schema and moves rows while both versions work; a contract is refused during the soak',
    async () => {
      for (const { name } of at('')) {
        world.aPackage(name, '1.0.0');
        world.aPackage(name, '2.0.0', { data: 'expand' });
      }
      await world.apply({ services: at('1.0.0') });
      for (const { name } of at('')) await world.untilFlowEnds(name, 'operational');
      const first = await world.load('onward');
      await world.until('some writes', async () => first.counts().requests > 30);
      await first.stop();
      atUpgrade = world.data.rows('onward');
      load = await world.load('onward');
      const beside = await world.load('backward');
      await world.apply({ services: at('2.0.0'), soakSeconds: 6 * world.place.patience });
      await world.untilSettled('onward');
      expect(world.data.schema('onward')).toEqual({ expandedTo: '2', contractedTo: '1' });
      await expect(world.ask({ contract: 'onward' })).rejects.toMatchObject({ codes: ['StateInvalid'] });
      await world.untilFlowEnds('onward', 'operational');
      await world.untilFlowEnds('backward', 'operational');
      expect([load.lastFailure, beside.lastFailure]).toEqual([undefined, undefined]);
      expect(
        world.data.ledger('onward').filter(line => /^2.*(expand|migrate|contract) done/.test(line)),
      ).toEqual(['2.0.0 expand done', '2.0.0 migrate done']);
      const [revision] = await world.revisions('onward');
      expect(revision?.spec.schemas).toEqual([{ database: 'onward', expandedTo: '2', contractedTo: '1' }]);
    },
    storyMs,
  );

  test(
    'a rollback before the contract moves software only, and loses nothing that was written since',
    async () => {
      const clients = await world.load('backward');
      const plan = await world.ask({ rollback: 'backward' });
      expect(plan.spec.plan.steps.map(({ data, consents }) => ({ data, consents }))).toEqual([
        { data: [{ database: 'backward', action: 'keep', backup: false }], consents: [] },
      ]);
      await world.approvePlan(plan);
      await world.untilFlowEnds('backward', 'operational');
      await clients.stop();
      expect(clients.lastFailure).toBeUndefined();
      expect(await clients.checkWrites()).toMatchObject({ lost: [] });
      expect(await world.serving('backward')).toMatchObject({ version: '1.0.0' });
      expect(world.data.schema('backward')).toEqual({ expandedTo: '2', contractedTo: '1' });
    },
    storyMs,
  );

  test(
    'the contract is refused while a process of the old version lives, at planning and at the last moment',
    async () => {
      const [now, before] = await world.revisions('onward');
      const [slice = ''] = before?.spec.parts[0]?.slices ?? [];
      expect(now?.spec.parts[0]?.slices).not.toContain(slice);
      const late = await world.ask({ contract: 'onward' });
      expect(
        late.spec.plan.steps.map(({ consents, pointOfNoReturn }) => ({ consents, pointOfNoReturn })),
      ).toEqual([{ consents: ['contract'], pointOfNoReturn: true }]);
      await world.cluster.create(oldPod(slice));
      await expect(world.ask({ contract: 'onward' })).rejects.toMatchObject({ codes: ['StateInvalid'] });
      await world.approvePlan(late);
      const flow = await world.untilFlowEnds('onward', 'refused');
      expect(flow.status?.because).toMatch(/old version/);
      expect(world.data.schema('onward')).toEqual({ expandedTo: '2', contractedTo: '1' });
      const ref = { apiVersion: 'v1', kind: 'Pod', namespace: world.namespace, name: 'left-over' };
      await world.cluster.delete(ref, { gracePeriodSeconds: 0 });
      await world.until('the end of the old pod', async () => {
        const { items } = await world.cluster.list(ref, { namespace: world.namespace });
        return !items.some(({ metadata }) => metadata.name === 'left-over');
      });
    },
    storyMs,
  );

  test(
    'approved by a person, even under automatic approval, it contracts under load',
    async () => {
      const plan = await world.ask({ contract: 'onward' });
      expect(plan.spec.plan.approval).toBe('manual');
      await world.approvePlan(plan);
      await world.untilFlowEnds('onward', 'operational');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(world.data.schema('onward')).toEqual({ expandedTo: '2', contractedTo: '2' });
      expect(world.data.rows('onward')?.filter(row => row.includes('"name"'))).toEqual([]);
      expect((await world.flowOf('onward'))?.status?.schemas).toEqual([
        { database: 'onward', expandedTo: '2', contractedTo: '2' },
      ]);
    },
    storyMs,
  );

  test(
    'a rollback that is broken off while it asks has touched nothing',
    async () => {
      await world.approvePlan(await world.ask({ rollback: 'onward' }), { consents: [] });
      const asking = await untilItAsks();
      await world.patchSpec(asking, { aborted: true });
      const ended = await world.untilFlowEnds('onward', 'refused');
      expect(ended.status?.because).toContain('a person broke it off');
      expect(await world.serving('onward')).toMatchObject({ version: '2.0.0' });
    },
    storyMs,
  );

  test(
    'a rollback after the contract asks for the restore, says what it costs, and brings the backup back',
    async () => {
      const plan = await world.ask({ rollback: 'onward' });
      const [step] = plan.spec.plan.steps;
      expect(step).toMatchObject({
        flow: 'rollback',
        strategy: 'recreate',
        consents: ['restore'],
        impact: { api: 'outage' },
      });
      expect(step?.data).toMatchObject([
        { database: 'onward', action: 'restore', from: '2', to: '1', backup: true },
      ]);
      expect(step?.why.join(' ')).toMatch(/restored from the backup/);
      // Approved, but nobody agreed to lose anything: it says what is at stake, asks, and touches nothing.
      const rows = world.data.rows('onward');
      await world.approvePlan(plan, { consents: [] });
      const asking = await untilItAsks();
      expect(asking.status?.moves?.map(({ id }) => id)).toEqual(['main/list-loss:old']);
      expect(asking.status?.losses).toMatchObject([{ database: 'onward', known: false }]);
      await world.engine.idle();
      expect(await world.serving('onward')).toMatchObject({ version: '2.0.0' });
      expect(world.data.rows('onward')).toEqual(rows);
      await world.answer(asking, 'yes');
      await world.untilFlowEnds('onward', 'operational');
      expect(await world.serving('onward')).toMatchObject({ version: '1.0.0' });
      // The backup before the contract has more in it than the one before the upgrade, and the old version works on both.
      const contracted = (await world.revisions('onward')).find(({ spec }) => spec.flow === 'contract');
      const [backup] = contracted?.spec.backups ?? [];
      expect([step?.data[0]?.restoredFrom, asking.status?.losses?.[0]?.since]).toEqual([
        backup?.takenAt,
        backup?.takenAt,
      ]);
      const restored = world.data.backup(backup?.location ?? '');
      expect(restored?.length).toBeGreaterThan(atUpgrade?.length ?? 0);
      const idsOf = (rows: readonly string[] | undefined) => (rows ?? []).map(row => row.split(' ')[0]);
      expect(idsOf(restored)).toEqual(expect.arrayContaining(idsOf(atUpgrade)));
      expect(world.data.rows('onward')).toEqual(restored);
      const schema = { expandedTo: '2', contractedTo: '1' };
      expect(world.data.schema('onward')).toEqual(schema);
      expect((await world.flowOf('onward'))?.status?.schemas).toEqual([{ database: 'onward', ...schema }]);
    },
    storyMs,
  );
}
