import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifests } from '../../../src/controller/store/manifest-store.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from './journey-world.ts';

/** The way back on request, told in the world that is given. */
export function rollbackStories(open: OpenWorld): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const at = (version: string) => [{ name: 'shop', version }];
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };

  /** Containers of the Deployment that serves. */
  async function containers(): Promise<unknown> {
    const { items } = await world.cluster.list(deployment, { namespace: world.namespace });
    const [only] = items.filter(({ metadata }) => metadata.name.startsWith('shop-'));
    if (!only) throw new TypeError('there is no Deployment');
    const { template } = only['spec'] as { template: { spec: { containers: unknown } } };
    return template.spec.containers;
  }

  let before: unknown;

  test(
    'a version is replaced, and the package of the former one is changed afterwards',
    async () => {
      world.aPackage('shop', '1.0.0', { head: '1' });
      world.aPackage('shop', '1.1.0', { head: '1' });
      await world.apply({ services: at('1.0.0') });
      await world.untilFlowEnds('shop', 'operational');
      before = await containers();
      await world.apply({ services: at('1.1.0') });
      await world.untilFlowEnds('shop', 'operational');
      await world.untilReady();
      world.aPackage('shop', '1.0.0', { head: '1', faults: ['test', 'crash'] });
      await world.push();
    },
    storyMs,
  );

  test(
    'a rollback after the soak applies what was kept of the revision, loses no request, and holds',
    async () => {
      const load = await world.load('shop');
      const plan = await world.ask({ rollback: 'shop' });
      expect(plan.spec.holds).toBe(true);
      await world.approvePlan(plan);
      const stop = new AbortController();
      const again = (async () => {
        while (!stop.signal.aborted) {
          await world.apply({ services: at('1.1.0') });
          await new Promise(resolve => setTimeout(resolve, 1000));
        }
      })();
      const flow = await world.untilFlowEnds('shop', 'operational');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
      expect(await load.checkWrites()).toMatchObject({ lost: [] });
      // The very bytes of the revision: the package that is in the cluster by now would crash.
      const [now, , first] = await world.revisions('shop');
      expect(first?.spec).toMatchObject({ number: 1, version: '1.0.0' });
      expect(flow.status?.manifests).toEqual(first?.spec.parts[0]?.manifests);
      expect(now?.spec.parts[0]?.inventory).toEqual(first?.spec.parts[0]?.inventory);
      expect(await containers()).toEqual(before);
      const bundles = await readManifests(world.cluster, world.namespace, flow.status?.manifests ?? []);
      expect(bundles.map(({ version }) => version)).toEqual(['1.0.0']);

      const record = await world.untilCondition('Ready', 'False', 'HeldAfterRollback');
      expect(record.status?.conditions?.find(({ type }) => type === 'Available')).toMatchObject({
        status: 'True',
      });
      expect(record.status?.services).toMatchObject([
        { name: 'shop', version: '1.0.0', wanted: '1.1.0', state: 'Held', reason: 'HeldAfterRollback' },
      ]);
      const flows = (await world.flows('shop')).length;
      await new Promise(resolve => setTimeout(resolve, 3000));
      stop.abort();
      await again;
      await world.engine.idle();
      expect(await world.flows('shop')).toHaveLength(flows);
      expect((await world.plans()).filter(({ status }) => status?.finishedAt === undefined)).toEqual([]);
    },
    storyMs,
  );

  test(
    'a person says retry, and the version of the record is tried again',
    async () => {
      const held = await world.flowOf('shop');
      if (!held) throw new TypeError('there is no flow');
      await world.patchSpec(held, { released: true });
      await world.untilFlowEnds('shop', 'operational');
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
      await world.untilReady();
    },
    storyMs,
  );

  test(
    'the old version in the record is the other way to ask for the same',
    async () => {
      world.aPackage('shop', '1.0.0', { head: '1' });
      await world.apply({ services: at('1.0.0') });
      const flow = await world.untilFlowEnds('shop', 'operational');
      expect(flow.spec.planned?.step).toMatchObject({ flow: 'rollback', to: { version: '1.0.0' } });
      expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
      await world.untilReady();
    },
    storyMs,
  );
}
