/** What every router is held to. A world brings the router, two slices that serve, and the address of clients. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import type { Route, SliceReport, Traffic, Weights } from './traffic.ts';
import { type Address, ask, Clients, hold, isDeaf } from './traffic-clients.contract.ts';

/**
 * A router at work. Slices `blue` and `green` are served when the world is opened; each answers every request with its name, as soon as it
 * has all of it, and sends the head of its answer at once.
 */
export interface TrafficWorld {
  readonly traffic: Traffic;
  /** Whether the router counts requests. */
  readonly counts: boolean;
  /** Whether it keeps shares, and sees when nothing is in flight; as it counts where this is not said. */
  readonly weighs?: boolean;
  /** A route that is not there yet, to the two slices. */
  newRoute(): Route;
  /** What the package says of the route: it listens on these ports. */
  object(route: Route, ports: readonly number[]): ClusterObject;
  /** Where clients find the route; undefined while it has no address. */
  address(route: Route, port: number): Promise<Address | undefined>;
  /** A route of this name that somebody else made. */
  makeForeign(route: Route): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
const moves = 10;
const port = 8000;

/** Runs the suite against one world. */
export function trafficContract(name: string, open: () => Promise<TrafficWorld>): void {
  describe(name, { timeout: 2 * minute }, () => {
    let world: TrafficWorld;
    let traffic: Traffic;
    let route: Route;
    let weighs: boolean;

    beforeAll(async () => {
      world = await open();
      ({ traffic, weighs = world.counts } = world);
    }, minute);
    afterAll(() => world?.close(), minute);
    beforeEach(async () => {
      route = world.newRoute();
      await traffic.ensure(route, world.object(route, [port]));
    });
    afterEach(() => traffic.remove(route));

    const addressOf = (of: Route = route, at = port) =>
      waitUntil('an address', 30, () => world.address(of, at));
    const slice = async (which: string) => (await traffic.observe(route)).slices[which];
    const until = (which: string, what: string, isSo: (report: SliceReport | undefined) => boolean) =>
      waitUntil(`slice ${which} ${what}`, 60, async () => isSo(await slice(which)));
    /** It gets nothing new, and what can be seen of it is done. */
    const untilOut = (which: string) =>
      until(which, 'is out', one => one?.weight === 0 && one.out === (weighs ? 'yes' : 'unknown'));
    const answers = async (address: Address, count = 20) => {
      const all = new Set<string>();
      for (let asked = 0; asked < count; asked++) all.add(await ask(address));
      return [...all].sort();
    };
    /** Gives the shares, and waits until those who have one answer, and nobody else does. */
    const give = async (weights: Weights) => {
      await traffic.setWeights(route, weights);
      const address = await addressOf();
      const served = Object.keys(weights)
        .filter(one => (weights[one] ?? 0) > 0)
        .sort();
      await waitUntil(`answers of ${served.join(' and ')}`, 60, async () => {
        const got = await answers(address).catch(() => undefined);
        return got?.join() === served.join();
      });
      return address;
    };
    const serves = async () => {
      const { slices } = await traffic.observe(route);
      return Object.keys(slices).filter(one => (slices[one]?.weight ?? 0) > 0);
    };

    test('a route that is not there is told as such', async () => {
      const { exists, slices } = await traffic.observe(world.newRoute());
      expect({ exists, slices }).toEqual({ exists: false, slices: {} });
    });

    test('a new route serves nobody, and knows who is ready', async () => {
      const { exists } = await traffic.observe(route);
      expect(exists).toBe(true);
      expect(await serves()).toEqual([]);
      await until('blue', 'is ready', one => one?.ready === 1);
      await until('green', 'is ready', one => one?.ready === 1);
      expect(await isDeaf(await addressOf())).toBe(true);
    });

    test('one slice is given all, and the other gets nothing', async () => {
      const address = await give({ blue: 100, green: 0 });
      expect(await answers(address, 50)).toEqual(['blue']);
      expect(await serves()).toEqual(['blue']);
      expect(await slice('blue')).toMatchObject({ out: 'no', ready: 1 });
    });

    test('both are given traffic', async () => {
      await give({ blue: 50, green: 50 });
      expect(await serves()).toEqual(['blue', 'green']);
      await until('green', 'is an address of the route', one => one?.ready === 1);
    });

    test('shares are kept where the router can weigh', async ({ skip }) => {
      if (!weighs) skip('this router cannot weigh');
      expect((await traffic.observe(route)).canWeigh).toBe(true);
      const address = await give({ blue: 90, green: 10 });
      const counts: Record<string, number> = {};
      for (let asked = 0; asked < 100; asked++) {
        const by = await ask(address);
        counts[by] = (counts[by] ?? 0) + 1;
      }
      expect(counts).toEqual({ blue: 90, green: 10 });
    });

    test('what a slice got is counted', async ({ skip }) => {
      if (!world.counts) skip('this router does not count');
      const address = await give({ blue: 100 });
      const before = (await slice('blue'))?.counts?.requests ?? 0;
      for (let asked = 0; asked < 10; asked++) await ask(address);
      await until('blue', 'has ten requests more', one => (one?.counts?.requests ?? 0) >= before + 10);
      expect((await slice('blue'))?.counts?.errors).toBe(0);
    });

    test('a slice without a share waits for the request it has, and does not cut it', async () => {
      const address = await give({ blue: 100 });
      const held = hold(address);
      await held.reached;
      await traffic.setWeights(route, { green: 100 });
      await waitUntil('green alone answers', 60, async () => (await answers(address)).join() === 'green');
      if (world.counts) await until('blue', 'is seen at work', one => one?.counts?.inFlight === 1);
      if (weighs) expect(await slice('blue')).toMatchObject({ weight: 0, out: 'no' });
      else await until('blue', 'cannot be told', one => one?.out === 'unknown');
      expect(await held.end()).toBe('blue');
      await untilOut('blue');
    });

    test('a slice of weight 0 beside others finishes what it has', async ({ skip }) => {
      if (!weighs) skip('this router cannot weigh');
      const address = await give({ blue: 100 });
      const held = hold(address);
      await held.reached;
      await give({ blue: 50, green: 50 });
      await give({ blue: 0, green: 100 });
      expect(await slice('blue')).toMatchObject({ out: 'no' });
      expect(await held.end()).toBe('blue');
      await untilOut('blue');
    });

    test('nobody is served any more, and what is in flight ends well', async () => {
      const address = await give({ blue: 100 });
      const held = hold(address);
      await held.reached;
      await traffic.setWeights(route, {});
      await waitUntil('no answer', 60, () => isDeaf(address));
      expect(await serves()).toEqual([]);
      expect(await held.end()).toBe('blue');
      await untilOut('blue');
    });

    test(`${moves} moves under load fail no request`, { timeout: 5 * minute }, async () => {
      const clients = new Clients(await give({ blue: 100 }));
      try {
        let [from, to] = ['blue', 'green'];
        for (let move = 0; move < moves; move++) {
          if (move % 2 === 1) await traffic.setWeights(route, { [from]: 90, [to]: 10 });
          if (move % 4 === 3) await until(to, 'is an address of the route', one => one?.ready === 1);
          await traffic.setWeights(route, { [to]: 100 });
          await traffic.setWeights(route, { [to]: 100 }); // an answer that was lost
          await untilOut(from);
          const before = clients.answers[to] ?? 0;
          await waitUntil(`${to} answers`, 60, async () => (clients.answers[to] ?? 0) > before + 20);
          [from, to] = [to, from];
        }
      } finally {
        await clients.end();
      }
      expect(clients.failures).toEqual({});
      expect(Object.keys(clients.answers).sort()).toEqual(['blue', 'green']);
    });

    test('a preview that says its slice is served answers at once', async () => {
      await give({ blue: 100 });
      const look = () => traffic.preview(route, 'green');
      if (!world.counts) {
        const preview = await waitUntil('a preview', 30, look);
        expect(preview.isServed).not.toBe(true);
        await waitUntil('an endpoint', 30, async () => (await look())?.isServed === undefined);
        return;
      }
      const preview = await waitUntil('a preview that is served', 30, async () => {
        const found = await look();
        return found?.isServed === true && found;
      });
      expect(await ask({ host: preview.address, port })).toBe('green');
    });

    test('a preview answers from its slice alone, and is counted', async () => {
      await give({ blue: 100 });
      const preview = await waitUntil('a preview', 30, () => traffic.preview(route, 'green'));
      expect(preview.ports.map(one => one.port)).toEqual([port]);
      const address = { host: preview.address, port };
      await waitUntil('the preview answers', 30, () => ask(address).catch(() => false as const));
      expect(await answers(address, 10)).toEqual(['green']);
      expect(await serves()).toEqual(['blue']);
      const counted = async () => (await traffic.preview(route, 'green'))?.requests;
      if (world.counts) await waitUntil('ten requests', 30, async () => ((await counted()) ?? 0) >= 10);
      else expect(await counted()).toBeUndefined();
      await traffic.removePreview(route, 'green');
      await traffic.removePreview(route, 'green');
      await waitUntil('the preview is gone', 30, () => isDeaf(address));
      expect(await answers(await addressOf())).toEqual(['blue']);
    });

    test('a slice that has a preview is drained too, and what is in flight by the preview is waited for', async () => {
      await give({ blue: 100 });
      const preview = await waitUntil('a preview', 30, () => traffic.preview(route, 'blue'));
      const address = { host: preview.address, port };
      await waitUntil('the preview answers', 30, () => ask(address).catch(() => false as const));
      const held = hold(address);
      await held.reached;
      await give({ green: 100 });
      if (world.counts) await until('blue', 'has nothing of the route', one => one?.counts?.inFlight === 0);
      if (weighs) expect(await slice('blue')).toMatchObject({ weight: 0, out: 'no' });
      expect(await held.end()).toBe('blue');
      await untilOut('blue');
      expect(await ask(address)).toBe('blue');
    });

    test('it is told before a slice comes whether it would be served, and asking changes nothing', async () => {
      const open = () => traffic.wouldServe(route, 'grey');
      expect([await open(), await traffic.wouldServe(world.newRoute(), 'grey')]).toEqual([false, false]);
      await give({ blue: 100 });
      expect([await open(), await traffic.wouldServe(route, 'green')]).toEqual([false, false]);
      await give({ blue: 50, green: 50 });
      expect(await traffic.wouldServe(route, 'green')).toBe(false);
      expect(await open()).toBe(!weighs);
      expect(await serves()).toEqual(['blue', 'green']);
    });

    test('a slice that shall get nothing when it comes is kept out, or that is refused', async () => {
      await give({ blue: 50, green: 50 });
      const keptOut = traffic.setWeights(route, { blue: 50, green: 50, grey: 0 });
      if (weighs) await keptOut;
      else await expect(keptOut).rejects.toMatchObject({ reason: 'Invalid' });
      expect(await serves()).toEqual(['blue', 'green']);
      await give({ green: 100, grey: 0 });
      expect(await traffic.wouldServe(route, 'grey')).toBe(false);
    });

    test('a route that is ensured again keeps who is served', async () => {
      await give({ blue: 100 });
      await traffic.ensure(route, world.object(route, [port]));
      expect(await serves()).toEqual(['blue']);
      await give({ blue: 50, green: 50 });
      await traffic.ensure(route, world.object(route, [port]));
      expect(await serves()).toEqual(['blue', 'green']);
      await traffic.setWeights(route, {});
      await traffic.ensure(route, world.object(route, [port]));
      expect(await serves()).toEqual([]);
    });

    test('a route that is ensured with other ports serves the same slice on those, and fails nobody', async () => {
      const address = await give({ green: 100 });
      const clients = new Clients(address);
      try {
        await traffic.ensure(route, world.object(route, [port, port + 1]));
        const added = await addressOf(route, port + 1);
        await waitUntil('an answer on the new port', 60, () => ask(added).catch(() => false as const));
        expect(await answers(added)).toEqual(['green']);
        await traffic.ensure(route, world.object(route, [port]));
        await waitUntil('no answer on it', 60, () => isDeaf(added));
      } finally {
        await clients.end();
      }
      expect(clients.failures).toEqual({});
      expect(Object.keys(clients.answers)).toEqual(['green']);
    });

    test('shares that are set while the route is ensured are not lost', async () => {
      for (const served of ['blue', 'green', 'blue', 'green', 'blue']) {
        await Promise.all([
          traffic.ensure(route, world.object(route, [port])),
          traffic.setWeights(route, { [served]: 100 }),
          traffic.ensure(route, world.object(route, [port])),
        ]);
        expect(await serves()).toEqual([served]);
      }
    });

    test('a route that is removed is gone, with its previews, however often', async () => {
      const address = await give({ blue: 100 });
      const preview = await waitUntil('a preview', 30, () => traffic.preview(route, 'green'));
      await traffic.remove(route);
      await traffic.remove(route);
      expect((await traffic.observe(route)).exists).toBe(false);
      for (const gone of [address, { host: preview.address, port }]) {
        await waitUntil('no answer', 30, () => isDeaf(gone));
      }
    });

    test('a route that somebody else made is not removed', async () => {
      const foreign = world.newRoute();
      await world.makeForeign(foreign);
      await expect(traffic.remove(foreign)).rejects.toMatchObject({ reason: 'Forbidden' });
      expect((await traffic.observe(foreign)).exists).toBe(true);
    });
  });
}
