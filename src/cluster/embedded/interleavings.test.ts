import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Selection } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';
import type { EmbeddedCluster } from './embedded-cluster.ts';
import { configMap, configMaps, refTo, StoreFolder } from './store-folder.contract.ts';

/** One thing a writer does, to one of few objects, so that writers meet. */
interface Step {
  readonly name: string;
  readonly does: 'put' | 'label' | 'remove';
  /** Turns of the event loop to let pass first. */
  readonly pause: number;
}

/** How a watcher reads. */
interface Reader {
  readonly selection: Selection;
  readonly startsAfter: number;
  /** Turns between two events: a slow one falls behind what is kept. */
  readonly pause: number;
  readonly begins: 'with a list' | 'with what is there';
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  does: fc.constantFrom('put', 'put', 'label', 'remove'),
  pause: fc.nat(2),
});
const reader: fc.Arbitrary<Reader> = fc.record({
  selection: fc.constantFrom<Selection>(
    {},
    { namespace: 'default' },
    { labelSelector: 'shown=yes' },
    { labelSelector: '!shown' },
    { fieldSelector: 'metadata.name=b' },
  ),
  startsAfter: fc.nat(12),
  pause: fc.nat(9),
  begins: fc.constantFrom('with a list', 'with what is there'),
});

async function pause(turns: number): Promise<void> {
  for (let count = 0; count < turns; count++) await turn();
}

async function write(cluster: EmbeddedCluster, steps: readonly Step[]): Promise<void> {
  for (const [index, { name, does, pause: turns }] of steps.entries()) {
    await pause(turns);
    const ref = refTo(name);
    const value = { data: { n: String(index) } };
    const label = { metadata: { labels: { shown: index % 2 === 0 ? 'yes' : null } } };
    const asked =
      does === 'remove'
        ? cluster.delete(ref)
        : cluster.patch(ref, { type: 'merge', value: does === 'put' ? value : label }).catch(error => {
            if (!isReason(error, 'NotFound')) throw error;
            return cluster.create(configMap(name, value.data));
          });
    // Another writer was faster: that is what the property is about.
    await asked.catch(error => {
      if (!isReason(error, 'NotFound', 'AlreadyExists')) throw error;
    });
  }
}

/** A cache as a controller keeps it: lists, watches, and lists again when it fell behind. */
class Cache {
  readonly objects = new Map<string, string>();
  readonly wrongs: string[] = [];
  expired = 0;
  /** How far it has come, as the list or a bookmark said: what is there at first comes in the order of names. */
  version = 0;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(cluster: EmbeddedCluster, how: Reader) {
    this.#done = this.#run(cluster, how);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(cluster: EmbeddedCluster, how: Reader): Promise<void> {
    await pause(how.startsAfter);
    while (!this.#stop.signal.aborted) {
      try {
        await this.#watch(cluster, how);
      } catch (error) {
        if (!isReason(error, 'Expired')) throw error;
        this.expired += 1;
      }
    }
  }

  async #watch(cluster: EmbeddedCluster, { selection, begins, pause: turns }: Reader): Promise<void> {
    const { signal } = this.#stop;
    this.objects.clear();
    this.version = 0;
    const options = { ...selection, signal };
    if (begins === 'with a list') {
      const { items, resourceVersion } = await cluster.list(configMaps, selection);
      for (const { metadata } of items) this.objects.set(metadata.name, metadata.resourceVersion);
      this.version = Number(resourceVersion);
      await pause(turns);
      await this.#read(cluster.watch(configMaps, { ...options, resourceVersion }), turns);
    } else await this.#read(cluster.watch(configMaps, options), turns);
  }

  async #read(events: ReturnType<EmbeddedCluster['watch']>, turns: number): Promise<void> {
    for await (const { type, object } of events) {
      const { name = '', resourceVersion = '0' } = object.metadata;
      if (type === 'BOOKMARK') {
        this.version = Number(resourceVersion);
        continue;
      }
      const before = this.objects.get(name);
      if ((type === 'ADDED') !== (before === undefined))
        this.wrongs.push(`${type} ${name}, which was ${before}`);
      if (before !== undefined && Number(resourceVersion) <= Number(before))
        this.wrongs.push(`${name} went back`);
      if (type === 'DELETED') this.objects.delete(name);
      else this.objects.set(name, resourceVersion);
      await pause(turns);
    }
  }
}

test('any interleaving of writers and watchers gives each watcher the last state of every object, in order', {
  timeout: 120_000,
}, async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open({ historyEvents: 6, bookmarkSeconds: 0.005 });
  let expired = 0;
  const writers = fc.array(fc.array(step, { maxLength: 25 }), { minLength: 1, maxLength: 4 });
  const readers = fc.array(reader, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(writers, readers, async (plans, hows) => {
      const caches = hows.map(how => new Cache(cluster, how));
      await Promise.all(plans.map(steps => write(cluster, steps)));
      const { resourceVersion } = await cluster.list(configMaps);
      const end = performance.now() + 10_000;
      // Bookmarks say when a watch has come as far as the last write.
      while (caches.some(cache => cache.version < Number(resourceVersion)) && performance.now() < end)
        await pause(5);
      for (const [index, cache] of caches.entries()) {
        await cache.stop();
        const { items } = await cluster.list(configMaps, hows[index]?.selection);
        const now = items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
        expect(Object.fromEntries(cache.objects)).toEqual(Object.fromEntries(now));
        expect(cache.wrongs).toEqual([]);
        expired += cache.expired;
      }
    }),
    { numRuns: 200 },
  );
  // Some must have fallen behind, or that was not tried.
  expect(expired).toBeGreaterThan(5);
});
