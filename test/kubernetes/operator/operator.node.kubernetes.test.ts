/** The operator as it is shipped, in pods of a real node, while everything around it is killed. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameImage } from '../../../scripts/kubernetes/node/load-images.ts';
import { loadOperatorImage } from '../../../scripts/kubernetes/node/operator-image.ts';
import { startOwnNode } from '../../../scripts/kubernetes/test-node.ts';
import type { ClientLoad } from '../../../scripts/start/client-load.ts';
import { operatorNamespace, servicesName } from '../../../src/app/deploy/deploy-names.ts';
import type { FlowObject } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, storyMs } from '../../journeys/engine/journey-world.ts';
import { followEpochs } from './follow-epochs.ts';
import { type HelmRelease, helmRelease } from './helm-release.ts';
import { killAtTransitions } from './kill-at-transitions.ts';
import { openOperatorWorld } from './operator-place.ts';
import { OperatorPods, type OwnNode, operatorImages } from './operator-pods.ts';
import { witnessFailure } from './witness-failure.ts';

const { repository, tags } = operatorImages;
/** How often a change is made to kill a leader where it was faster than the kill before. */
const rounds = [1, 2, 3] as const;

describe.skipIf(process.env['AFLOAT_TEST_KUBECONFIG'])(
  'the operator in pods (not with AFLOAT_TEST_KUBECONFIG)',
  { timeout: storyMs },
  () => {
    let node: OwnNode;
    let world: JourneyWorld;
    let pods: OperatorPods;
    let release: HelmRelease;
    const witnesses = new Map<ClientLoad, () => Promise<string>>();
    const ended = new AbortController();

    beforeAll(async () => {
      node = await startOwnNode(() => {});
      await loadOperatorImage(node, `${repository}:${tags[0]}`);
      await nameImage(node, `${repository}:${tags[0]}`, `${repository}:${tags[1]}`);
      world = await openOperatorWorld(node);
      pods = new OperatorPods(node, world.cluster, operatorNamespace);
      for (const minor of [0, 1, 3, 4, 5, 6])
        world.aPackage('shop', `1.${minor}.0`, { replicas: 2, head: '1' });
      world.aPackage('desk', '1.0.0', { head: '1' });
      world.aPackage('desk', '1.1.1', { head: '1', faults: ['test'] });
      for (const round of rounds) {
        world.aPackage('shop', `1.2.${round}`, { replicas: 2, head: '1' });
        world.aPackage('desk', `1.2.${round}`, { head: '1', faults: ['test'] });
      }
      release = await helmRelease(node, world.namespace);
      await release.install(tags[0]);
      await pods.untilReady(2);
    }, storyMs);
    afterAll(async () => {
      ended.abort();
      await world?.close();
      await node?.stop();
    }, storyMs);

    const apply = (shop: string, desk: string) =>
      world.apply({
        ...{ serviceAccountName: servicesName, soakSeconds: 3 },
        services: [
          { name: 'shop', version: shop },
          { name: 'desk', version: desk },
        ],
      });
    /** Patient: on a machine that is busy with starting things an answer may take long, and one that was lost never comes. */
    const loads = async (...services: readonly string[]) => {
      const pace = { clients: 4, perSecond: 20, limitMs: 20_000 };
      const started = await Promise.all(services.map(service => world.load(service, pace)));
      const { cluster, namespace } = world;
      for (const load of started)
        witnesses.set(load, witnessFailure({ node, cluster, namespace, load }, ended.signal));
      return started;
    };
    const expectNoneFailed = async (clients: readonly (ClientLoad | undefined)[], when = 'at all') => {
      for (const load of clients) {
        const seen = load && (await witnesses.get(load)?.());
        expect(load?.lastFailure, `${when}: ${seen}`).toBeUndefined();
      }
    };

    /** What is left of a change when it is over, whatever version it was to. */
    const endOf = (service: string, { spec, status }: FlowObject) => {
      const version = spec.planned?.step.to?.version ?? '';
      return {
        end: status?.end,
        moves: status?.moves?.map(({ id, state }) => `${id} ${state}`),
        tasks: world.data
          .lines(service)
          .filter(line => line.version === version)
          .map(({ task, state }) => `${task} ${state}`),
      };
    };
    let undisturbed: { readonly shop: unknown; readonly desk: unknown } | undefined;

    const shop = async () => (await world.flowOf('shop')) as FlowObject;
    /** Waits until the newest flow of shop, which is under way, has begun this move. */
    const untilAt = (move: string) =>
      world.until(`${move} of shop`, async () => {
        const { status } = await shop();
        return status?.end === undefined && status?.moves?.some(({ id }) => id === move);
      });

    test('an upgrade and one that is rolled back lose no request', async () => {
      await apply('1.0.0', '1.0.0');
      for (const service of ['shop', 'desk']) await world.untilFlowEnds(service, 'operational');
      const clients = await loads('shop', 'desk');
      await apply('1.1.0', '1.1.1');
      const ends = {
        shop: endOf('shop', await world.untilFlowEnds('shop', 'operational')),
        desk: endOf('desk', await world.untilFlowEnds('desk', 'rolledback')),
      };
      for (const load of clients) await load.stop();
      await expectNoneFailed(clients);
      for (const load of clients) expect(await load.checkWrites()).toMatchObject({ lost: [] });
      undisturbed = ends;
    });

    test('killed once at every transition of both flows, it comes to the same ends, and no request is lost', async () => {
      const services = ['shop', 'desk'];
      const clients = await loads(...services);
      const killedAt = new Set<string>();
      let left: ReadonlySet<string> | undefined;
      for (const round of rounds) {
        if (left?.size === 0) break;
        const version = `1.2.${round}`;
        const kills = await killAtTransitions(world, pods, {
          ...{ services, change: () => apply(version, version) },
          ...(left ? { only: left } : {}),
        });
        const ends = {
          shop: endOf('shop', await world.untilFlowEnds('shop', 'operational')),
          desk: endOf('desk', await world.untilFlowEnds('desk', 'rolledback')),
        };
        expect(ends).toEqual(undisturbed);
        for (const one of kills.at) killedAt.add(one);
        left = new Set([...kills.missed].filter(one => !killedAt.has(one)));
        process.stdout.write(
          `round ${round}: killed at ${kills.at.size} transitions, missed ${[...left].join(', ')}\n`,
        );
      }
      for (const load of clients) await load.stop();
      // Some are milliseconds apart, and a kill from outside comes after the next one: at every one exactly is test/journeys/kill.
      expect([...(left ?? [])].length, 'transitions at which nobody died').toBeLessThanOrEqual(3);
      expect(killedAt.size).toBeGreaterThanOrEqual(20);
      await expectNoneFailed(clients);
      for (const load of clients) expect(await load.checkWrites()).toMatchObject({ lost: [] });
    });

    test('a leader that is killed hard is followed by the other one when its lease has run out', async () => {
      const first = await pods.untilLeads();
      const aim = await pods.aimAt(first);
      const start = performance.now();
      aim.kill();
      await pods.replace(first);
      expect(await pods.untilLeads(first)).not.toBe(first);
      // The lease, a try of the next one, and what the kill itself and a busy machine take.
      expect((performance.now() - start) / 1000).toBeLessThan(15 + 2.4 + 5);
    });

    test('a leader that is cut off acts no more, and the other one goes on alone', async () => {
      const watching = new AbortController();
      const epochs = followEpochs(world.cluster, world.namespace, watching.signal);
      const [load] = await loads('shop');
      await pods.untilReady(2);
      const first = await pods.untilLeads();
      const restarts = await pods.restarts(first);
      await apply('1.3.0', '1.0.0');
      await untilAt('main/test:new');
      const letThrough = await pods.cutOff(first);
      const second = await pods.untilLeads(first);
      await letThrough();
      await world.untilFlowEnds('shop', 'operational');
      await load?.stop();
      await pods.untilReady(2);
      watching.abort();
      await expectNoneFailed([load]);
      expect(second).not.toBe(first);
      const runs = epochs().filter(({ epoch }, index, all) => epoch !== all[index - 1]?.epoch);
      expect(runs, 'first the one, then the other, and never the first again').toHaveLength(2);
      // It ends when what it waits for is answered: it was cut off in the middle of that.
      await expect.poll(() => pods.restarts(first), { timeout: 90_000 }).toBeGreaterThan(restarts);
      expect(endOf('shop', await shop())).toEqual(undisturbed?.shop);
    });

    test('API server and etcd are killed in mid-upgrade: clients are served, and it goes on', async () => {
      const [load] = await loads('shop');
      await apply('1.4.0', '1.0.0');
      await untilAt('main/test:new');
      const { plane } = node;
      await Promise.all([plane.killApiServer(), plane.killEtcd()]);
      await pause(12_000); // longer than a leader may act without its lease
      await plane.startEtcd();
      await plane.startApiServer();
      await world.untilFlowEnds('shop', 'operational');
      await load?.stop();
      await expectNoneFailed([load]);
      expect(await load?.checkWrites()).toMatchObject({ lost: [] });
      expect(endOf('shop', await shop())).toEqual(undisturbed?.shop);
    });

    test('its chart is upgraded in mid-flow, removed and installed again: nothing is lost or done again', async () => {
      const known = async () => {
        const [plans, flows, revisions] = await Promise.all([
          world.plans(),
          world.flows(),
          world.revisions('shop'),
        ]);
        return [...plans, ...flows, ...revisions].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      };
      const [load] = await loads('shop');
      const noneFailed = (when: string) => expectNoneFailed([load], when);
      await apply('1.5.0', '1.0.0');
      await untilAt('main/test:new');
      await noneFailed('before the test');
      await release.upgrade(tags[1]);
      await noneFailed('while the operator is upgraded');
      await world.untilFlowEnds('shop', 'operational');
      await noneFailed('until the end of the flow');
      await world.untilReady();
      const before = await known();
      await release.uninstall();
      const requests = load?.counts().requests ?? 0;
      await world.until('requests meanwhile', async () => (load?.counts().requests ?? 0) > requests + 40);
      await noneFailed('without an operator');
      await release.install(tags[1]);
      await pods.untilLeads();
      await pods.untilReady(2);
      await world.untilReady();
      expect(await known()).toEqual(before);
      await load?.stop();
      await noneFailed('when it is installed again');
      expect(await load?.checkWrites()).toMatchObject({ lost: [] });
      expect(endOf('shop', await shop())).toEqual(undisturbed?.shop);
    });

    // The last one: clients of a story after it were seen to wait for an answer for ever, and it is not known yet why.
    test('all pods of the node go in mid-upgrade, those of the operator too: it goes on', async () => {
      // Of desk nothing is changed: it shows what the fault alone costs.
      const [load, beside] = await loads('shop', 'desk');
      await world.until('rows of clients', async () => (load?.counts().requests ?? 0) > 40);
      await apply('1.6.0', '1.0.0');
      await untilAt('main/give-traffic:new');
      await expectNoneFailed([load], 'before the reboot');
      await node.rebootPods();
      await world.untilFlowEnds('shop', 'operational');
      for (const one of [load, beside]) await one?.stop();
      const unservedMs = [load, beside].map(one => one?.counts().unservedMs ?? 0);
      process.stdout.write(`shop and desk unserved for ${unservedMs.map(Math.round).join(' and ')} ms\n`);
      const [ofShop = 0, ofDesk = 0] = unservedMs;
      // Which of their pods starts first is chance.
      expect(ofShop).toBeLessThan(ofDesk * 1.5 + 5000);
      expect(await load?.checkWrites()).toMatchObject({ lost: [] });
      expect(await world.serving('shop')).toMatchObject({ version: '1.6.0' });
    });
  },
);
