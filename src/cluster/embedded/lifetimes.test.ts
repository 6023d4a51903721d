import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import type { WatchEvent } from '../cluster.ts';
import { ObjectTable } from './store/object-table.ts';
import { OwnerIndex } from './store/owner-index.ts';
import { configMap, configMaps, refTo, StoreFolder } from './store-folder.contract.ts';

/** A clock whose date is moved by hand. */
class Calendar implements Clock {
  now = Date.parse('2026-01-31T22:00:00Z');
  readonly monotonic = systemClock.monotonic;
  readonly sleep = systemClock.sleep;
  readonly random = systemClock.random;

  wall(): number {
    return this.now;
  }

  pass(seconds: number): void {
    this.now += seconds * 1000;
  }
}

const events = { apiVersion: 'v1', kind: 'Event' };
const event = {
  ...events,
  metadata: { name: 'happened', namespace: 'default' },
  involvedObject: { kind: 'ConfigMap', name: 'one', namespace: 'default' },
  reason: 'Tested',
  count: 1,
};

test('an Event lives for its time after it was last written', async () => {
  await using folder = new StoreFolder();
  const clock = new Calendar();
  const cluster = await folder.open({ clock, eventSeconds: 60 });
  const ref = { ...events, namespace: 'default', name: 'happened' };
  await cluster.create(event);
  clock.pass(50);
  await cluster.patch(ref, { type: 'merge', value: { count: 2 } });
  clock.pass(50);
  await cluster.upkeep();
  expect(await cluster.get(ref)).toMatchObject({ count: 2 });
  clock.pass(20);
  await cluster.upkeep();
  await expect(cluster.get(ref)).rejects.toMatchObject({ reason: 'NotFound' });
});

test('history goes by age; a watch and a page from before it must begin anew', async () => {
  await using folder = new StoreFolder();
  const clock = new Calendar();
  const cluster = await folder.open({ clock, historySeconds: 60 });
  for (const name of ['a', 'b', 'c']) await cluster.create(configMap(name));
  const page = await cluster.list(configMaps, { limit: 1 });
  clock.pass(100);
  await cluster.create(configMap('d'));
  await cluster.upkeep();
  const old = cluster.watch(configMaps, { resourceVersion: page.resourceVersion });
  // Nothing between the page and the oldest change that is kept: from there a watch still misses nothing.
  for await (const { object } of old) {
    expect(object.metadata.name).toBe('d');
    break;
  }
  clock.pass(100);
  await cluster.upkeep();
  const tooOld = (async () => {
    for await (const _ of cluster.watch(configMaps, { resourceVersion: page.resourceVersion })) return;
  })();
  await expect(tooOld).rejects.toMatchObject({ reason: 'Expired' });
  const goOn = cluster.list(configMaps, { limit: 1, continue: page.continue ?? '' });
  await expect(goOn).rejects.toMatchObject({ reason: 'Expired' });
  expect((await cluster.list(configMaps)).items).toHaveLength(4);
});

test('a watch that reads too slowly is told so, and holds up nobody', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open({ historyEvents: 20 });
  const slow = cluster.watch(configMaps)[Symbol.asyncIterator]();
  const seen: WatchEvent[] = [];
  const stop = new AbortController();
  const quick = (async () => {
    for await (const one of cluster.watch(configMaps, { signal: stop.signal })) seen.push(one);
  })();
  await slow.next();
  for (let count = 0; count < 60; count++) await cluster.create(configMap(`m-${count}`));
  await turn();
  await expect(slow.next()).rejects.toMatchObject({ reason: 'Expired' });
  expect(await slow.next()).toMatchObject({ done: true });
  expect(seen.filter(one => one.type === 'ADDED')).toHaveLength(60);
  stop.abort();
  await quick;
});

test('history and versions go on after a restart', async () => {
  await using folder = new StoreFolder();
  const first = await folder.open();
  const made = await first.create(configMap('one', { a: '1' }));
  await first.patch(refTo('one'), { type: 'merge', value: { data: { a: '2' } } });
  await first.delete(refTo('one'));
  await first.close();
  const again = await folder.open();
  const types: string[] = [];
  for await (const { type, object } of again.watch(configMaps, {
    resourceVersion: made.metadata.resourceVersion,
  })) {
    types.push(`${type} ${JSON.stringify(object['data'])}`);
    if (types.length === 2) break;
  }
  expect(types).toEqual(['MODIFIED {"a":"2"}', 'DELETED {"a":"2"}']);
  const later = await again.create(configMap('two'));
  expect(Number(later.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion) + 2);
});

test('what is compacted takes no room, and is not missed after a restart', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open({ historyEvents: 50 });
  await cluster.create(configMap('one', {}));
  for (let count = 0; count < 300; count++) {
    await cluster.patch(refTo('one'), { type: 'merge', value: { data: { n: String(count) } } });
  }
  await cluster.close();
  const again = await folder.open({ historyEvents: 50 });
  expect(await again.get(refTo('one'))).toMatchObject({ data: { n: '299' } });
  const first = (async () => {
    for await (const _ of again.watch(configMaps, { resourceVersion: '1' })) return;
  })();
  await expect(first).rejects.toMatchObject({ reason: 'Expired' });
});

test('garbage that a killed process left is collected after the start', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const owner = await cluster.create(configMap('owner'));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
  await cluster.create(configMap('dependent', {}, { ownerReferences: [reference] }));
  const gone = cluster.delete(refTo('owner'));
  // Closed before the collector had its turn.
  await cluster.close();
  await gone;
  const again = await folder.open();
  await vi.waitFor(async () => expect((await again.list(configMaps)).items).toEqual([]));
});

test('a closed store refuses reads and writes, and a watch of it ends', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  await cluster.create(configMap('one'));
  await cluster.close();
  const closed = { reason: 'ServiceUnavailable' };
  await expect(cluster.get(refTo('one'))).rejects.toMatchObject(closed);
  await expect(cluster.list(configMaps)).rejects.toMatchObject(closed);
  await expect(cluster.create(configMap('two'))).rejects.toMatchObject(closed);
  for await (const one of cluster.watch(configMaps)) expect(one).toBeUndefined();
});

test('a clock that gives no time refuses the write and nothing else', async () => {
  await using folder = new StoreFolder();
  const clock = new Calendar();
  const cluster = await folder.open({ clock });
  const { now } = clock;
  clock.now = Number.NaN;
  await expect(cluster.create(configMap('one'))).rejects.toMatchObject({ reason: 'InternalError' });
  clock.now = now;
  await cluster.create(configMap('one'));
});

test('what goes wrong in work that nobody waits for is told', async () => {
  await using folder = new StoreFolder();
  const told: unknown[] = [];
  const cluster = await folder.open({ onTrouble: error => told.push(error) });
  const failure = new Error('on purpose');
  const fails = vi.spyOn(OwnerIndex.prototype, 'dependentsOf').mockImplementation(() => {
    throw failure;
  });
  try {
    const metadata = { finalizers: ['foregroundDeletion'] };
    await cluster.create(configMap('one', {}, metadata));
    await cluster.delete(refTo('one'), { propagation: 'Foreground' });
    await vi.waitFor(() => expect(told).toContain(failure));
  } finally {
    fails.mockRestore();
  }
});

test('a namespace is looked through a few times, however many objects are freed in it one by one', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const namespace = 'going';
  const ref = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const names = Array.from({ length: 40 }, (_, index) => `m-${index}`);
  for (const name of names) await cluster.create(configMap(name, {}, { namespace, finalizers: ['a.org/b'] }));
  const looks = vi.spyOn(ObjectTable.prototype, 'kinds');
  try {
    await cluster.delete(ref);
    for (const name of names) {
      const value = { metadata: { finalizers: null } };
      await cluster.patch({ ...configMaps, name, namespace }, { type: 'merge', value });
    }
    await vi.waitFor(async () => {
      await expect(cluster.get(ref)).rejects.toMatchObject({ reason: 'NotFound' });
    });
    expect(looks.mock.calls.length).toBeLessThan(6);
  } finally {
    looks.mockRestore();
  }
});
