import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ConnectedWorld, connectWorld } from '../../../src/app/connect-world.ts';
import { isReason } from '../../../src/cluster/cluster-error.ts';
import { type FlowObject, flowType } from '../../../src/controller/our-objects.ts';
import { bundleManager } from '../../../src/testing/bundle-manager.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { ManagedOperator } from '../../journeys/kill/managed-operator.ts';
import { keystoneRows } from '../keystone-rows.ts';
import {
  applyKeystone,
  keystoneVersions,
  movesOf,
  patience,
  servedVersion,
  storyMs,
} from '../keystone-world.ts';
import { expectAllWrites, type UnderLoad, underLoad, unnoticed } from '../unnoticed.ts';
import { expectRows, untilMove, wishForNext } from '../upgrade-with-fault.ts';

const { first, next } = keystoneVersions;

/** For how many seconds all requests failed, if none of the others had. */
const secondsLost = ({ report, ratePerSecond }: UnderLoad<unknown>) => report.failed / ratePerSecond;

/** What falls over while a good release comes. Each story begins and ends with the first version. */
export function falloutStories(at: () => JourneyWorld): void {
  /** Ends the database as whoever restarts it does; returns when it answers again. */
  async function restartDatabase(): Promise<void> {
    const world = at();
    const [old] = await world.pods('mariadb');
    if (!old) throw new TypeError('there is no database');
    const ref = { apiVersion: 'v1', kind: 'Pod', namespace: world.namespace, name: old.metadata.name };
    // Connections that clients keep open are waited for half of that time.
    await world.cluster.delete(ref, { gracePeriodSeconds: 4 });
    await world.until(
      'the database to be back',
      async () => {
        const [pod] = await world.pods('mariadb');
        const { conditions = [] } = (pod?.['status'] ?? {}) as {
          conditions?: { type: string; status: string }[];
        };
        const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
        return pod?.metadata.uid !== old.metadata.uid && isReady;
      },
      patience,
    );
  }

  async function goBack(): Promise<void> {
    await applyKeystone(at(), first);
    await at().untilFlowEnds('keystone', 'operational', patience);
    await at().untilReady(patience);
  }

  test(
    'a database that is restarted while traffic moves costs clients no more than when nothing else happens',
    async () => {
      const world = at();
      const before = await keystoneRows(world);
      const alone = await underLoad(world, async () => {
        await restartDatabase();
        await pause(5000); // what clients had open is noticed by the next that use it
      });
      const former = await world.flowOf('keystone');
      const meanwhile = await underLoad(world, async () => {
        await wishForNext(world, 12);
        await untilMove(world, former, 'main/give-traffic:new', 'running', 'done');
        await restartDatabase();
        return world.untilFlowEnds('keystone', 'operational', patience);
      });
      for (const { report } of [alone, meanwhile]) {
        expectAllWrites(report);
        expect(report.wrongRefusals).toBe(0);
      }
      const [least, most] = [secondsLost(alone), secondsLost(meanwhile)];
      process.stdout.write(
        `a restart costs ${least.toFixed(1)} s alone, ${most.toFixed(1)} s in an upgrade\n`,
      );
      expect(least).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(2 * least);
      expect(await servedVersion(world)).toBe(next);
      await expectRows(world, before);
      await goBack();
    },
    storyMs,
  );

  /** Waits for the end of the newest flow where the manager is another process, which is away every now and then. */
  async function untilEndElsewhere({ cluster }: ConnectedWorld): Promise<void> {
    const giveUpAt = performance.now() + patience * 1000;
    for (;;) {
      try {
        const { items } = await cluster.list(flowType, { namespace: at().namespace });
        const own = (items as unknown as FlowObject[]).filter(({ spec }) => spec.serviceName === 'keystone');
        if (own.every(({ status }) => status?.end !== undefined)) return;
      } catch (error) {
        if (!isReason(error, 'Unreachable', 'Unauthorized')) throw error;
      }
      if (performance.now() > giveUpAt) throw new TypeError('the flow does not end');
      await pause(200);
    }
  }

  test(
    'a manager that is killed whenever a move changes its state brings the release, and no client notices',
    async () => {
      const world = at();
      const before = await keystoneRows(world);
      const bundled = await bundleManager(
        join(import.meta.dirname, '../../journeys/kill/operator-program.ts'),
      );
      const stateFolder = join(world.folder, 'state');
      const operator = new ManagedOperator(bundled.program, stateFolder, 'namespaces');
      const former = await world.flowOf('keystone');
      try {
        const killedAt = await unnoticed(world, async () => {
          await wishForNext(world, 13);
          await untilMove(world, former, 'main/check:new', 'running', 'done');
          await world.stop();
          try {
            await operator.start();
            const connected = await connectWorld({ stateFolder });
            operator.arm();
            await untilEndElsewhere(connected);
            await connected.close();
            return await operator.disarm();
          } finally {
            await operator.stop();
            await world.start();
          }
        });
        const flow = await world.untilFlowEnds('keystone', 'operational', patience);
        process.stdout.write(`${operator.kills} kills\n`);
        const moves = await movesOf(world, flow);
        expect(operator.kills).toBeGreaterThanOrEqual(moves.length / 2); // one write may tell of two moves
        for (const { id, state } of flow.status?.moves ?? [])
          expect(killedAt).toContain(`${flow.metadata.name} ${id} ${state}`);
      } finally {
        bundled.remove();
      }
      expect(await servedVersion(world)).toBe(next);
      await expectRows(world, before);
      await goBack();
    },
    storyMs,
  );
}
