import { describe, expect, test } from 'vitest';
import type { StoredObject } from '../cluster/cluster.ts';
import { settle } from '../cluster/contract/manual-clock.contract.ts';
import {
  event,
  listOf,
  ScriptedCluster,
  stored,
  type WatchStep,
} from '../cluster/contract/scripted-cluster.contract.ts';
import { byOwner, Informer } from './informer.ts';

const type = { apiVersion: 'v1', kind: 'ConfigMap' };

/** An informer over a script whose watch goes on when `next` is called. */
function informerOf(items: readonly StoredObject[], steps: readonly WatchStep[] = []) {
  const script = new ScriptedCluster([listOf(10, items)], [[...steps, 'hang']]);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const { cluster } = script;
  const watch = cluster.watch;
  const slow = {
    ...cluster,
    watch: (...asked: Parameters<typeof watch>) => ({
      async *[Symbol.asyncIterator]() {
        await held;
        yield* watch(...asked);
      },
    }),
  };
  const informer = new Informer(slow, type);
  const told: string[] = [];
  informer.onChange(({ object, before }) => {
    const name = (object ?? before)?.metadata.name;
    told.push(
      `${name} ${before?.metadata.resourceVersion ?? '-'} ${object?.metadata.resourceVersion ?? '-'}`,
    );
  });
  const stop = new AbortController();
  void informer.run(stop.signal);
  const news = async () => {
    release();
    await settle();
  };
  return { informer, told, news, stop: () => stop.abort() };
}

const versionOf = (informer: Informer, name: string) => informer.get('here', name)?.metadata.resourceVersion;

describe('an informer', () => {
  test('knows what is there once it is synced, and tells what changes', async () => {
    const { informer, told, news, stop } = informerOf(
      [stored('a', 3), stored('b', 4)],
      [event('MODIFIED', 'a', 11), event('DELETED', 'b', 12)],
    );
    await informer.synced;
    expect(informer.all().map(object => object.metadata.name)).toEqual(['a', 'b']);
    await news();
    expect(told).toEqual(['a - 3', 'b - 4', 'a 3 11', 'b 4 -']);
    stop();
  });

  test('knows a write at once, and is not taken back by older news', async () => {
    const { informer, told, news, stop } = informerOf(
      [stored('a', 3)],
      [event('MODIFIED', 'a', 11), event('MODIFIED', 'a', 12), event('MODIFIED', 'a', 13)],
    );
    await informer.synced;
    informer.saw(stored('a', 12));
    expect(versionOf(informer, 'a')).toBe('12');
    await news();
    expect(told).toEqual(['a - 3', 'a 3 12', 'a 12 13']);
    stop();
  });

  test('does not bring back what was removed by us while news of it are under way', async () => {
    const { informer, told, news, stop } = informerOf(
      [stored('a', 3)],
      [event('MODIFIED', 'a', 11), event('DELETED', 'a', 12), event('ADDED', 'a', 13, 'anew')],
    );
    await informer.synced;
    informer.gone(stored('a', 3));
    expect(informer.all()).toEqual([]);
    await news();
    expect(told).toEqual(['a - 3', 'a 3 -', 'a - 13']);
    stop();
  });

  test('finds objects by the controller that owns them, as long as it does', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'one', controller: true }];
    const plain = stored('a', 3);
    const owned = { ...plain, metadata: { ...plain.metadata, ownerReferences } };
    const { informer, news, stop } = informerOf([owned], [event('MODIFIED', 'a', 11)]);
    await informer.synced;
    expect(informer.by(byOwner, 'one')).toEqual([owned]);
    await news();
    expect(informer.by(byOwner, 'one')).toEqual([]);
    stop();
  });
});
