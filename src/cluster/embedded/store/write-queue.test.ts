import { expect, test } from 'vitest';
import type { HistoryEvent } from './history.ts';
import { ObjectTable } from './object-table.ts';
import type { Transaction } from './transaction.ts';
import { type Append, WriteQueue } from './write-queue.ts';

/** A write of an object of that name. */
function put(name: string) {
  return (transaction: Transaction) =>
    transaction.put('v1/Any', {
      apiVersion: 'v1',
      kind: 'Any',
      metadata: { name, uid: `uid-of-${name}`, creationTimestamp: transaction.timestamp },
    });
}

/** A queue that commits so, and what its watchers were told of. */
function queueWith(append: Append) {
  const table = new ObjectTable();
  const told: string[] = [];
  const listeners = new Set<(events: readonly HistoryEvent[]) => void>();
  const afterCommit = (events: readonly HistoryEvent[]) => {
    told.push(...events.map(({ object }) => object.metadata.name));
    for (const listener of listeners) listener(events);
  };
  const queue = new WriteQueue(table, { append, now: () => 0, afterCommit });
  return { table, told, listeners, queue };
}

const ways = [
  { way: 'in place', append: () => undefined },
  { way: 'aside', append: async () => undefined },
];

test.each(ways)('all is told, once and in order, of commits made $way', async ({ append }) => {
  const { queue, told } = queueWith(append);
  await Promise.all([queue.write(put('a')), queue.write(put('b'))]);
  await queue.write(put('c'));
  await queue.close();
  expect(told).toEqual(['a', 'b', 'c']);
});

test.each(ways)('who is told of a commit made $way may write, and is answered', async ({ append }) => {
  const { queue, listeners, told } = queueWith(append);
  const answered = new Promise<string>((resolve, reject) => {
    const listener = () => {
      listeners.delete(listener);
      queue.write(put('second')).then(({ metadata }) => resolve(metadata.name), reject);
    };
    listeners.add(listener);
  });
  await queue.write(put('first'));
  expect(await answered).toBe('second');
  await queue.close();
  expect(told).toEqual(['first', 'second']);
});

test('while a commit is made aside nobody finds what it writes, and watchers are told of the one before', async () => {
  const seen: { found: boolean; told: readonly string[] }[] = [];
  const { queue, table, told } = queueWith(async rows => {
    await undefined;
    seen.push({ found: table.find('v1/Any', String(rows[0]?.[2])) !== undefined, told: [...told] });
  });
  const second = queue.write(put('first')).then(() => queue.write(put('second')));
  await second;
  await queue.close();
  expect(seen).toEqual([
    { found: false, told: [] },
    { found: false, told: ['first'] },
  ]);
  expect(table.find('v1/Any', '/second')).toBeDefined();
});

test('what cannot be made durable, at once or aside, is refused and leaves nothing; watchers know of what was before', async () => {
  for (const isAside of [false, true]) {
    let fails = false;
    const { queue, table, told } = queueWith(() => {
      if (!isAside && fails) throw new Error('no room');
      return isAside ? (fails ? Promise.reject(new Error('no room')) : Promise.resolve()) : undefined;
    });
    await queue.write(put('first'));
    fails = true;
    await expect(queue.write(put('second'))).rejects.toThrow('no room');
    expect(table.find('v1/Any', '/second')).toBeUndefined();
    fails = false;
    const { metadata } = await queue.write(put('third'));
    expect(metadata.resourceVersion).toBe('2');
    await queue.close();
    expect(told).toEqual(['first', 'third']);
  }
});
