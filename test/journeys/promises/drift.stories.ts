import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { StoredObject } from '../../../src/cluster/cluster.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** What somebody changes on a service beside its record, and what a service does by itself, told in the world that is given. */
export function driftStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
    aService(world, 'shop', '1.0.0', { cron: true });
    await apply('1.0.0');
    await world.untilFlowEnds('shop', 'operational');
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }] });
  const apiVersions: Record<string, string> = { Deployment: 'apps/v1', ConfigMap: 'v1', CronJob: 'batch/v1' };
  const refTo = (kind: string, name: string) => ({
    ...{ apiVersion: apiVersions[kind] ?? '', kind, namespace: world.namespace, name },
  });
  const change = (kind: string, name: string, spec: JsonObject) =>
    world.cluster.patch(refTo(kind, name), { type: 'merge', value: { spec } }, { fieldManager: 'somebody' });
  const find = async (kind: string, name: string): Promise<StoredObject | undefined> =>
    (await world.cluster.list(refTo(kind, name), { namespace: world.namespace })).items.find(
      ({ metadata }) => metadata.name === name,
    );
  const specOf = async (kind: string, name: string): Promise<Spec> =>
    ((await find(kind, name))?.['spec'] ?? {}) as Spec;

  interface Spec {
    readonly suspend?: boolean;
    readonly replicas?: number;
    readonly template?: {
      readonly spec: {
        readonly containers: readonly { readonly image: string; readonly env: readonly object[] }[];
      };
    };
  }

  const isSuspended = async () => (await specOf('CronJob', 'shop-tidy')).suspend === true;

  /** What was told to be repaired. */
  async function repairs(): Promise<string[]> {
    const { items } = await world.cluster.list(
      { apiVersion: 'v1', kind: 'Event' },
      { namespace: world.namespace, fieldSelector: 'reason=DriftRepaired' },
    );
    return items.map(event => `${event['message']}`.replace(/ was changed.*/, '')).sort();
  }

  const containerOf = async (name: string) => (await specOf('Deployment', name)).template?.spec.containers[0];

  test(
    'what somebody changes on an operational service is brought back, and told',
    async () => {
      const before = await world.serving('shop');
      const name = `shop-${before?.slice}`;
      const wanted = await containerOf(name);
      const changed = { ...wanted, image: 'promises/other:1', env: [{ name: 'SERVICE', value: 'other' }] };
      await change('Deployment', name, { template: { spec: { containers: [changed as never] } } });
      await world.cluster.delete(refTo('ConfigMap', `shop-etc-${before?.slice}`));
      await change('CronJob', 'shop-tidy', { suspend: true });
      await world.until('everything to be as it was', async () => {
        const deployment = await containerOf(name);
        const isBack = deployment?.image === wanted?.image && deployment?.env.length === wanted?.env.length;
        const config = await find('ConfigMap', `shop-etc-${before?.slice}`);
        return isBack && config !== undefined && !(await isSuspended());
      });
      await world.until('the events', async () => {
        const told = new Set(await repairs());
        return [`Deployment ${name}`, `ConfigMap shop-etc-${before?.slice}`, 'CronJob shop-tidy'].every(one =>
          told.has(one),
        );
      });
      expect(await world.serving('shop')).toMatchObject({ version: '1.0.0', setting: 'of 1.0.0' });
    },
    storyMs,
  );

  test(
    'while a flow changes the service nothing is repaired; when it is over, everything is',
    async () => {
      aService(world, 'shop', '1.1.0', { cron: true, test: 'sleep 6; exit 1' });
      const before = await world.serving('shop');
      await apply('1.1.0');
      await world.until('the test', async () => {
        const { moves = [] } = (await world.flowOf('shop'))?.status ?? {};
        return moves.some(({ id, state }) => id === 'main/test:new' && state === 'running');
      });
      const told = await repairs();
      await change('CronJob', 'shop-tidy', { suspend: true });
      await change('Deployment', `shop-${before?.slice}`, { replicas: 2 });
      await pause(2500);
      expect(await isSuspended()).toBe(true);
      expect(await repairs()).toEqual(told);
      await world.untilFlowEnds('shop', 'rolledback');
      await world.until('the repair', async () => {
        const { replicas } = await specOf('Deployment', `shop-${before?.slice}`);
        return replicas === 1 && !(await isSuspended());
      });
    },
    storyMs,
  );

  test(
    'cron jobs rest from the moment traffic is taken until what comes is settled, and not before or after',
    async () => {
      aService(world, 'shop', '1.2.0', { cron: true, strategy: 'recreate' });
      const seen: string[] = [];
      await apply('1.2.0');
      await world.until(
        'the end',
        async () => {
          const flow = (await world.flows('shop')).at(-1);
          const running = flow?.status?.moves?.find(({ state }) => state === 'running')?.id ?? 'none';
          const line = `${running} ${await isSuspended()}`;
          if (flow?.spec.planned?.step.to?.version === '1.2.0' && seen.at(-1) !== line) seen.push(line);
          return flow?.spec.planned?.step.to?.version === '1.2.0' && flow.status?.end !== undefined;
        },
        60,
      );
      await world.untilFlowEnds('shop', 'operational');
      expect(seen).toContain('main/test:new true');
      expect(seen.filter(line => line.startsWith('main/check:new'))).not.toContain('main/check:new true');
      expect(await isSuspended()).toBe(false);
    },
    storyMs,
  );

  test(
    'the test of a service is repeated as its package says, and what it finds is a condition',
    async () => {
      aService(world, 'shop', '1.3.0', { cron: true, lifecycle: { schedule: { test: '@every 4s' } } });
      await apply('1.3.0');
      const flow = await world.untilFlowEnds('shop', 'operational');
      const health = async () => {
        const phases = await world.phases(flow.metadata.name);
        const keeper = phases.find(({ spec }) => spec.move?.id === 'main/settle:new');
        return keeper?.status?.conditions?.find(({ type }) => type === 'Healthy');
      };
      await world.until('a test that passed', async () => (await health())?.status === 'True');
      world.data.setFaults('shop', '1.3.0', 'broken');
      await world.until('a test that failed', async () => (await health())?.status === 'False');
      expect((await health())?.message).toMatch(/Job shop-test failed: .*answered 500/s);
    },
    storyMs,
  );
}
