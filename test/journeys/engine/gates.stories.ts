import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordType } from '../../../src/controller/our-objects.ts';
import { journeyPerson } from './journey-place.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** Where a person's word is waited for, told in the world that is given. */
export function gateStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const at = (front: string, behind: string) => [
    { name: 'front', version: front },
    { name: 'behind', version: behind },
  ];
  const stages = [
    { name: 'first', services: ['front'] },
    { name: 'second', services: ['behind'], gate: 'manual' },
  ];
  const manual = { approval: 'manual', stages };

  /** The newest plan, when it is in this state. */
  const planIn = (state: string, seconds = 60) =>
    world.until(
      `a plan that is ${state}`,
      async () => {
        const newest = (await world.plans()).at(-1);
        return newest?.status?.state === state && newest;
      },
      seconds,
    );

  test(
    'nothing begins before a person approved the very digest of the plan',
    async () => {
      for (const name of ['front', 'behind'])
        for (const version of ['1.0.0', '1.1.0', '1.2.0']) world.aPackage(name, version, { head: '1' });
      await world.apply({ services: at('1.0.0', '1.0.0'), ...manual });
      const plan = await planIn('WaitingForApproval');
      await world.untilCondition('Stalled', 'True', 'WaitingForApproval');
      const approval = {
        digest: `sha256:${'0'.repeat(64)}`,
        approvedBy: journeyPerson,
        approvedAt: new Date().toISOString(),
      };
      await expect(world.patchSpec(plan, { approval })).rejects.toMatchObject({ code: 'ClusterInvalid' });
      expect(await world.flows()).toEqual([]);
    },
    storyMs,
  );

  test(
    'an approval that expired starts nothing, and the plan is offered anew',
    async () => {
      const plan = await planIn('WaitingForApproval');
      await world.approvePlan(plan, { expiresAt: new Date(Date.now() - 1000).toISOString() });
      const next = await world.until('the next plan', async () => {
        const [expired, newest] = (await world.plans()).slice(-2);
        return (
          expired?.status?.state === 'Expired' && newest?.status?.state === 'WaitingForApproval' && newest
        );
      });
      expect(next.metadata.name).not.toBe(plan.metadata.name);
      expect(await world.flows()).toEqual([]);
      await world.approvePlan(next);
    },
    storyMs,
  );

  test(
    'a stage with a gate begins only when a person lets it',
    async () => {
      await world.untilFlowEnds('front', 'operational');
      const plan = await planIn('WaitingForStage');
      await world.untilCondition('Stalled', 'True', 'WaitingForStage');
      expect(await world.flows('behind')).toEqual([]);
      await world.patchSpec(plan, { openedStages: ['second'] });
      await world.untilFlowEnds('behind', 'operational');
      await planIn('Done');
      await world.untilReady();
    },
    storyMs,
  );

  test(
    'a paused plan begins no further step, and goes on where it was',
    async () => {
      world.data.setFaults('front', '1.1.0', 'hang:test');
      await world.apply({
        services: at('1.1.0', '1.1.0'),
        approval: 'manual',
        stages: [{ name: 'first', services: ['front'] }],
      });
      await world.approve();
      await world.until(
        'the test of front',
        async () => world.data.ledger('front').includes('1.1.0 test began'),
        60,
      );
      const plan = (await world.plans()).at(-1);
      if (!plan) throw new TypeError('there is no plan');
      await world.patchSpec(plan, { paused: true });
      await planIn('Paused');
      world.data.setFaults('front', '1.1.0');
      await world.untilFlowEnds('front', 'operational');
      await world.engine.idle();
      expect(await world.serving('behind')).toMatchObject({ version: '1.0.0' });
      expect(await world.flows('behind')).toHaveLength(1);
      await world.patchSpec(plan, { paused: false });
      await world.untilFlowEnds('behind', 'operational');
      expect(await world.serving('behind')).toMatchObject({ version: '1.1.0' });
    },
    storyMs,
  );

  test(
    'broken off in the middle of its test, a flow goes back at once; its test process ends',
    async () => {
      world.data.setFaults('front', '1.2.0', 'hang:test');
      const load = await world.load('front');
      await world.apply({ services: at('1.2.0', '1.1.0') });
      await world.until('the test', async () => world.data.ledger('front').includes('1.2.0 test began'), 60);
      const plan = (await world.plans()).at(-1);
      if (!plan) throw new TypeError('there is no plan');
      await world.patchSpec(plan, { aborted: true });
      const flow = await world.untilFlowEnds('front', 'rolledback');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(flow.status?.because).toMatch(/A person broke it off/);
      await planIn('Aborted');
      expect(await world.serving('front')).toMatchObject({ version: '1.1.0' });
      await world.until('the end of the new slice', async () => (await world.pods('front')).length === 1);
      await world.untilCondition('Ready', 'False', 'HeldAfterRollback');
      world.data.setFaults('front', '1.2.0');
    },
    storyMs,
  );

  test(
    'broken off during the soak, traffic returns to the version that never stopped',
    async () => {
      const load = await world.load('behind');
      await world.apply({ services: at('1.1.0', '1.2.0'), soakSeconds: 60 });
      const soaking = await world.untilSettled('behind');
      expect(await world.serving('behind')).toMatchObject({ version: '1.2.0' });
      const status = (await world.record()).status?.services?.find(({ name }) => name === 'behind');
      expect(status).toMatchObject({ version: '1.2.0', state: 'Soaking' });
      await world.patchSpec(soaking, { aborted: true });
      await world.untilFlowEnds('behind', 'rolledback');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(await load.checkWrites()).toMatchObject({ lost: [] });
      expect(await world.serving('behind')).toMatchObject({ version: '1.1.0' });
      const record = await world.untilCondition('Ready', 'False', 'HeldAfterRollback');
      expect(record.status?.services?.find(({ name }) => name === 'behind')).toMatchObject({
        ...{ version: '1.1.0', wanted: '1.2.0', state: 'Held' },
      });
    },
    storyMs,
  );

  test(
    'a second record in the namespace is refused, and changes nothing',
    async () => {
      const flows = (await world.flows()).length;
      const { spec } = await world.record();
      const second = { ...recordType, metadata: { name: 'second', namespace: world.namespace }, spec };
      await world.cluster.create(second);
      const ref = { ...recordType, namespace: world.namespace, name: 'second' };
      await world.until('the refusal', async () => {
        const { status } = (await world.cluster.get(ref)) as Awaited<ReturnType<JourneyWorld['record']>>;
        return status?.conditions?.some(
          ({ type, reason }) => type === 'Stalled' && reason === 'SecondRecord',
        );
      });
      await world.engine.idle();
      expect(await world.flows()).toHaveLength(flows);
      expect((await world.plans()).filter(({ spec: { deployment } }) => deployment === 'second')).toEqual([]);
      await world.cluster.delete(ref);
    },
    storyMs,
  );
}
