import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/**
 * What comes in a soak, and what is new at the same version, told in the world that is given; what needs a router that counts requests, only
 * where there is one.
 */
export function soakStories(open: OpenWorld, { counts = true } = {}): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const at = (version: string, more = {}) => [{ name: 'shop', version, ...more }];
  /** It is ended by what comes, wherever it is told. */
  const soakSeconds = () => 60 * world.place.patience;
  const secret = (word: string) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
    metadata: { name: 'shop-values', namespace: world.namespace },
    data: { setting: Buffer.from(word).toString('base64') },
  });
  const valuesFrom = [{ kind: 'Secret', name: 'shop-values', valuesKey: 'setting', targetPath: 'setting' }];

  test(
    'a patch during a soak ends the soak when its checks have passed, and no sooner, and loses no request',
    async () => {
      for (const version of ['1.0.0', '1.1.0', '1.1.1']) world.aPackage('shop', version, { head: '1' });
      world.aPackage('shop', '1.1.2', { head: '1', faults: ['preflight'] });
      await world.apply({ services: at('1.0.0') });
      await world.untilFlowEnds('shop', 'operational');
      const load = await world.load('shop');
      await world.apply({ services: at('1.1.0'), soakSeconds: soakSeconds() });
      const first = await world.untilSettled('shop');
      await world.apply({ services: at('1.1.2'), soakSeconds: soakSeconds() });
      const refused = await world.untilFlowEnds('shop', 'refused');
      expect(refused.status?.moves?.map(({ id, state }) => `${id} ${state}`)).toEqual([
        'main/check:new failed',
      ]);
      const soaking = (await world.flows('shop')).find(
        ({ metadata }) => metadata.name === first.metadata.name,
      );
      expect(soaking?.spec.endSoak).toBeFalsy();
      expect(soaking?.status?.end).toBeUndefined();
      expect((await world.pods('shop')).map(({ metadata }) => metadata.labels?.['slice']).sort()).toEqual([
        'blue',
        'green',
      ]);
      await world.apply({ services: at('1.1.1'), soakSeconds: 1 });
      const second = await world.untilFlowEnds('shop', 'operational');
      expect(second.spec.planned?.step).toMatchObject({
        from: { version: '1.1.0' },
        to: { version: '1.1.1' },
      });
      const ended = (await world.flows('shop')).find(({ metadata }) => metadata.name === first.metadata.name);
      expect(ended?.status).toMatchObject({ end: 'operational' });
      expect(
        Date.parse(ended?.status?.finishedAt ?? '') - Date.parse(first.status?.settledAt ?? ''),
      ).toBeLessThan(soakSeconds() * 1000);
      const began = (id: string) =>
        Date.parse(second.status?.moves?.find(move => move.id === id)?.startedAt ?? '');
      expect(began('main/check:new')).toBeLessThan(Date.parse(ended?.status?.finishedAt ?? ''));
      expect(began('main/apply:new')).toBeGreaterThanOrEqual(Date.parse(ended?.status?.finishedAt ?? ''));
      const plan = (await world.plans()).find(({ metadata }) => metadata.name === second.spec.planned?.plan);
      expect(plan?.spec.plan.notes.join()).toContain('ends the soak of 1.1.0');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(await load.checkWrites()).toMatchObject({ lost: [] });
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.1' });
      expect((await world.revisions('shop')).map(({ spec }) => spec.version)).toEqual([
        '1.1.1',
        '1.1.0',
        '1.0.0',
      ]);
      await world.untilReady();
    },
    storyMs,
  );

  test(
    'new values at the same version walk the flow without its data steps',
    async () => {
      const load = await world.load('shop');
      await world.apply({ services: at('1.1.1', { values: { setting: 'other' } }) });
      const flow = await world.untilFlowEnds('shop', 'operational');
      expect(flow.spec.flowKind).toBe('reconfigure');
      expect(flow.status?.moves?.map(({ id }) => id)).toEqual([
        ...[
          'main/check:new',
          'main/apply:new',
          'main/test:new',
          'main/give-traffic:new',
          'main/take-traffic:old',
        ],
        ...['main/settle:new', 'main/soak:new', 'main/remove:old'],
      ]);
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.1', setting: 'other' });
    },
    storyMs,
  );

  test(
    'a Secret whose content changes is a reconfigure, and its content is in no object of ours',
    async () => {
      await world.cluster.create(secret('first-word'));
      await world.apply({ services: at('1.1.1', { valuesFrom }) });
      await world.untilFlowEnds('shop', 'operational');
      expect(await world.serving('shop')).toMatchObject({ setting: 'first-word' });
      const { metadata, data } = secret('second-word');
      await world.cluster.patch(
        { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name: metadata.name },
        { type: 'merge', value: { data } },
      );
      const flow = await world.untilFlowEnds('shop', 'operational');
      expect(flow.spec.flowKind).toBe('reconfigure');
      expect(flow.spec.planned?.step.why.join()).toMatch(/the content of Secret\/shop-values changed/);
      expect(await world.serving('shop')).toMatchObject({ setting: 'second-word' });
      await world.untilReady();
      const told = [
        await world.record(),
        ...(await world.plans()),
        ...(await world.flows()),
        ...(await world.revisions('shop')),
      ];
      expect(JSON.stringify(told)).not.toMatch(/(first|second)-word/);
    },
    storyMs,
  );

  test.runIf(counts)(
    'errors during a soak bring traffic back by themselves',
    async () => {
      world.aPackage('shop', '1.2.0', { head: '1' });
      const load = await world.load('shop', { clients: 4, perSecond: 40 });
      await world.apply({ services: at('1.2.0', { valuesFrom }), soakSeconds: soakSeconds() });
      await world.untilSettled('shop');
      world.data.setFaults('shop', '1.2.0', 'one-in-ten');
      const flow = await world.untilFlowEnds('shop', 'rolledback', 40);
      expect(flow.status?.because).toMatch(/fails more than it may/);
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.1', setting: 'second-word' });
      await load.stop();
      expect(await load.checkWrites()).toMatchObject({ lost: [] });
      const { status } = await world.untilCondition('Ready', 'False', 'HeldAfterRollback');
      expect(status?.conditions?.find(({ type }) => type === 'Available')).toMatchObject({ status: 'True' });
    },
    storyMs,
  );
}
