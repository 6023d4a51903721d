import { describe, expect, test } from 'vitest';
import { ClusterError, type ClusterReason } from './cluster-error.ts';
import { ManualClock, settle } from './contract/manual-clock.contract.ts';
import {
  bookmark,
  event,
  listOf,
  ScriptedCluster,
  stored,
  type WatchStep,
} from './contract/scripted-cluster.contract.ts';
import { type FollowOptions, follow } from './follow.ts';

const trouble = (reason: ClusterReason, retryAfterSeconds?: number) =>
  new ClusterError(reason, 'scripted', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

/** Follows a script in the background and writes down what is told. */
function start(
  lists: ConstructorParameters<typeof ScriptedCluster>[0],
  watches: readonly (readonly WatchStep[])[],
  options: FollowOptions = {},
) {
  const script = new ScriptedCluster(lists, watches);
  const clock = new ManualClock();
  const controller = new AbortController();
  const told: string[] = [];
  const waits: number[] = [];
  let isOver = false;
  const { signal } = controller;
  const onTrouble = (_: unknown, wait: number) => waits.push(Number(wait.toFixed(3)));
  const run = async () => {
    const type = { apiVersion: 'v1', kind: 'ConfigMap' };
    for await (const one of follow(script.cluster, type, { clock, signal, onTrouble, ...options })) {
      if (one.type === 'SYNCED') told.push(`SYNCED ${one.resourceVersion}`);
      else told.push(`${one.type} ${one.object.metadata.name} ${one.object.metadata.resourceVersion}`);
    }
    isOver = true;
  };
  const running = run();
  return { script, clock, told, waits, running, stop: () => controller.abort(), isOver: () => isOver };
}

describe('follow', () => {
  test('tells what is there, that this is all, and then what happens', async () => {
    const seen = start(
      [listOf(5, [stored('a', 3), stored('b', 4)])],
      [[event('MODIFIED', 'a', 6), event('ADDED', 'c', 7), event('DELETED', 'b', 8), 'hang']],
    );
    await settle();
    expect(seen.told).toEqual([
      'ADDED a 3',
      'ADDED b 4',
      'SYNCED 5',
      'MODIFIED a 6',
      'ADDED c 7',
      'DELETED b 8',
    ]);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5']);
    seen.stop();
    await seen.running;
  });

  test('lists in pages and watches from the moment of the first', async () => {
    const pages = [
      listOf(5, [stored('a', 3)], 'two'),
      listOf(5, [stored('b', 4)], 'three'),
      listOf(5, [stored('c', 1)]),
    ];
    const seen = start(pages, [['hang']], { pageSize: 1 });
    await settle();
    expect(seen.told).toEqual(['ADDED a 3', 'ADDED b 4', 'ADDED c 1', 'SYNCED 5']);
    expect(seen.script.asked).toEqual(['list 1', 'list 1 from two', 'list 1 from three', 'watch 5']);
    seen.stop();
  });

  test('reads the list in one piece when the server forgot its pages', async () => {
    const lists = [listOf(5, [stored('a', 3)], 'two'), trouble('Expired'), listOf(9, [stored('b', 8)])];
    const seen = start(lists, [['hang']]);
    await settle();
    expect(seen.told).toEqual(['ADDED b 8', 'SYNCED 9']);
    expect(seen.script.asked).toEqual(['list 500', 'list 500 from two', 'list', 'watch 9']);
    seen.stop();
  });

  test.each<ClusterReason>([
    'Unreachable',
    'InternalError',
    'ServiceUnavailable',
    'Timeout',
    'Conflict',
    'TooManyRequests',
    'Forbidden',
  ])('goes on from the last moment after %s, without a list', async reason => {
    const seen = start(
      [listOf(5, [])],
      [
        [event('ADDED', 'a', 6), trouble(reason)],
        [event('ADDED', 'b', 8), 'hang'],
      ],
    );
    await seen.clock.pass(1);
    expect(seen.told).toEqual(['SYNCED 5', 'ADDED a 6', 'ADDED b 8']);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5', 'watch 6']);
    seen.stop();
  });

  test('goes on after an error that nobody expected', async () => {
    const seen = start([new TypeError('a bug'), listOf(5, [])], [[event('ADDED', 'a', 6), 'hang']]);
    await seen.clock.pass(1);
    expect(seen.told).toEqual(['SYNCED 5', 'ADDED a 6']);
    expect(seen.waits).toHaveLength(1);
    seen.stop();
  });

  test('goes on from a bookmark', async () => {
    const seen = start([listOf(5, [])], [[bookmark(70)], ['hang']]);
    await settle();
    expect(seen.told).toEqual(['SYNCED 5']);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5', 'watch 70']);
    seen.stop();
  });

  test('lists again when the moment is too long ago, and tells what changed meanwhile', async () => {
    const before = [stored('kept', 1), stored('changed', 2), stored('gone', 3), stored('anew', 4, 'old')];
    const after = [stored('kept', 1), stored('changed', 8), stored('anew', 9, 'new'), stored('more', 10)];
    const seen = start([listOf(5, before), listOf(11, after)], [[trouble('Expired')], ['hang']]);
    await settle();
    expect(seen.told.slice(5)).toEqual([
      'DELETED gone 3',
      'DELETED anew 4',
      'MODIFIED changed 8',
      'ADDED anew 9',
      'ADDED more 10',
      'SYNCED 11',
    ]);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5', 'list 500', 'watch 11']);
    seen.stop();
  });

  test('lists again when the server is behind the moment', async () => {
    const causes = [{ field: '', reason: 'ResourceVersionTooLarge', message: '' }];
    const seen = start(
      [listOf(5, []), listOf(3, [])],
      [[new ClusterError('Timeout', 'too large', { causes })], ['hang']],
    );
    await seen.clock.pass(1);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5', 'list 500', 'watch 3']);
    seen.stop();
  });

  test('lists again when the cluster was put back to an earlier state', async () => {
    const seen = start([listOf(50, []), listOf(8, [stored('a', 7)])], [[bookmark(6), 'hang'], ['hang']]);
    await seen.clock.pass(1);
    expect(seen.told).toEqual(['SYNCED 50', 'ADDED a 7', 'SYNCED 8']);
    seen.stop();
  });

  test('tells no state twice, and no change of what was never told', async () => {
    const events = [
      event('ADDED', 'a', 4),
      event('MODIFIED', 'b', 6),
      event('DELETED', 'c', 7),
      event('ADDED', 'b', 8, 'another'),
    ];
    const seen = start([listOf(4, [stored('a', 4)])], [[...events, 'hang']]);
    await settle();
    expect(seen.told).toEqual(['ADDED a 4', 'SYNCED 4', 'ADDED b 6', 'DELETED b 6', 'ADDED b 8']);
    seen.stop();
  });
});

describe('follow, while the server is not well', () => {
  test('waits longer and longer, up to a limit, with chance in it', async () => {
    const seen = start([trouble('Unreachable')], [[]]);
    await seen.clock.pass(5);
    expect(seen.waits.slice(0, 7)).toEqual([0.075, 0.15, 0.3, 0.375, 0.375, 0.375, 0.375]);
    seen.stop();
    const other = start([trouble('Unreachable')], [[]]);
    other.clock.chance = 0.9;
    await other.clock.pass(1);
    expect(other.waits[1]).toBeCloseTo(0.19);
    other.stop();
  });

  test('begins with short waits again when it worked in between', async () => {
    const down = trouble('Unreachable');
    const watches = [[down], [down], [down], [event('ADDED', 'a', 6), 'hang']] as const;
    const seen = start([listOf(5, [])], watches, { idleSeconds: 2 });
    await seen.clock.pass(3);
    expect(seen.waits).toEqual([0.075, 0.15, 0.3, 0.075]);
    seen.stop();
  });

  test('waits as long as the server asks', async () => {
    const seen = start([trouble('TooManyRequests', 8), listOf(5, [])], [['hang']]);
    await seen.clock.pass(7.9);
    expect(seen.script.asked).toEqual(['list 500']);
    await seen.clock.pass(2);
    expect(seen.told).toEqual(['SYNCED 5']);
    expect(seen.waits).toEqual([9]);
    seen.stop();
  });

  test('lists at once when the first answer after an outage is that the moment is too long ago', async () => {
    const down = trouble('Unreachable');
    const watches = [[down], [down], [down], [down], [trouble('Expired')], ['hang' as const]];
    const seen = start([listOf(5, []), listOf(9, [])], watches);
    await seen.clock.pass(3);
    expect(seen.waits).toEqual([0.075, 0.15, 0.3, 0.375, 0]);
    expect(seen.told).toEqual(['SYNCED 5', 'SYNCED 9']);
    seen.stop();
  });

  test('is back within two seconds, by the worst chance, from a server that asks for one', async () => {
    const down = Array.from({ length: 9 }, () => [trouble('Unreachable')]);
    const seen = start([listOf(5, [])], [...down, [trouble('TooManyRequests', 1)], ['hang']]);
    seen.clock.chance = 0.999;
    await seen.clock.pass(10);
    const [silence = 0, asked = 0] = seen.waits.slice(-2);
    expect(silence + asked).toBeGreaterThan(1.5);
    expect(silence + asked).toBeLessThan(2);
    seen.stop();
  });

  test('asks seldom where the answer is a clear no', async () => {
    const seen = start([trouble('Forbidden')], [[]]);
    await seen.clock.pass(600);
    expect(Math.max(...seen.waits)).toBe(22.5);
    expect(seen.waits.length).toBeLessThan(40);
    seen.stop();
  });

  test('is back soon after a long time down, whatever was said before', async () => {
    const lists = [...Array.from({ length: 50 }, () => trouble('Forbidden')), trouble('Unreachable')];
    const seen = start(lists, [[]]);
    await seen.clock.pass(2000);
    expect(seen.waits.at(-1)).toBeLessThanOrEqual(1);
    seen.stop();
  });

  test('makes no storm of watches that end at once', async () => {
    const seen = start([listOf(5, [])], [[]]);
    await seen.clock.pass(10);
    expect(seen.script.asked.length).toBeGreaterThan(5);
    expect(seen.script.asked.length).toBeLessThan(25);
    seen.stop();
  });

  test.each([
    ['ends', [bookmark(6)]],
    ['is expired', [bookmark(6), trouble('Expired')]],
    ['is cut', [bookmark(6), trouble('Unreachable')]],
  ] as const)('makes no storm of watches of which each tells something and %s', async (_, steps) => {
    const seen = start([listOf(5, [])], [steps]);
    for (let ticks = 0; ticks < 100; ticks++) await seen.clock.pass(0.1);
    expect(seen.script.asked.filter(one => one.startsWith('watch')).length).toBeLessThan(40);
    seen.stop();
  });

  test('makes no storm of lists when every watch is expired at once', async () => {
    const seen = start([listOf(5, [])], [[trouble('Expired')]]);
    await seen.clock.pass(10);
    expect(seen.script.asked.length).toBeLessThan(40);
    seen.stop();
  });
});

describe('the watchdog of follow', () => {
  test('begins the watch anew when nothing is heard', async () => {
    const seen = start([listOf(5, [])], [[event('ADDED', 'a', 6), 'hang'], ['hang']], { idleSeconds: 90 });
    await seen.clock.pass(89);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5']);
    await seen.clock.pass(2);
    expect(seen.script.asked).toEqual(['list 500', 'watch 5', 'watch 6']);
    expect(seen.script.openWatches).toBe(1);
    seen.stop();
  });

  test('does not bark while the reader is busy', async () => {
    const script = new ScriptedCluster(
      [listOf(5, [])],
      [[event('ADDED', 'a', 6), event('ADDED', 'b', 7), 'hang']],
    );
    const clock = new ManualClock();
    const type = { apiVersion: 'v1', kind: 'ConfigMap' };
    const followed = follow(script.cluster, type, { clock, idleSeconds: 10 })[Symbol.asyncIterator]();
    await followed.next();
    await followed.next();
    await clock.pass(60);
    expect((await followed.next()).value).toMatchObject({ object: { metadata: { name: 'b' } } });
    expect(script.asked).toEqual(['list 500', 'watch 5']);
    await followed.return(undefined);
  });
});

describe('follow that is not wanted any more', () => {
  test('ends while it watches', async () => {
    const seen = start([listOf(5, [])], [['hang']]);
    await settle();
    seen.stop();
    await seen.running;
    expect(seen.isOver()).toBe(true);
    expect(seen.script.openWatches).toBe(0);
  });

  test('ends while it waits', async () => {
    const seen = start([trouble('TooManyRequests', 100)], [[]]);
    await settle();
    seen.stop();
    await seen.running;
    expect(seen.isOver()).toBe(true);
  });

  test('never begins when that is known before', async () => {
    const script = new ScriptedCluster([listOf(5, [])], [[]]);
    const type = { apiVersion: 'v1', kind: 'ConfigMap' };
    const { done } = await follow(script.cluster, type, { signal: AbortSignal.abort() }).next();
    expect({ done, asked: script.asked }).toEqual({ done: true, asked: [] });
  });

  test('closes its watch when the reader leaves', async () => {
    const script = new ScriptedCluster([listOf(5, [])], [[event('ADDED', 'a', 6), 'hang']]);
    const type = { apiVersion: 'v1', kind: 'ConfigMap' };
    for await (const one of follow(script.cluster, type)) if (one.type === 'ADDED') break;
    expect(script.openWatches).toBe(0);
  });
});
