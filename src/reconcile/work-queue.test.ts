import { describe, expect, test } from 'vitest';
import { ManualClock, settle } from '../cluster/contract/manual-clock.contract.ts';
import { type Again, WorkQueue } from './work-queue.ts';

/** Passes that are written down and end when a test says so. */
function manualPasses(workers = 4) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const begun: string[] = [];
  const troubles: string[] = [];
  const ends = new Map<string, { resolve(again?: Again): void; reject(error: Error): void }>();
  const pass = (key: string) => {
    begun.push(key);
    return new Promise<Again>((resolve, reject) => ends.set(key, { resolve, reject }));
  };
  const onTrouble = (key: string, _: unknown, wait: number) => troubles.push(`${key} ${wait}`);
  const queue = new WorkQueue(pass, { clock, workers, signal: stop.signal, onTrouble });
  return { queue, clock, begun, troubles, stop: () => stop.abort(), end: (key: string) => ends.get(key) };
}

describe('a work queue', () => {
  test('makes one pass of a key that was added many times in one turn', async () => {
    const { queue, begun } = manualPasses();
    for (let time = 0; time < 5; time++) queue.add('a');
    await settle();
    expect(begun).toEqual(['a']);
  });

  test('never works on one key twice at once, and does not forget what was added meanwhile', async () => {
    const { queue, begun, end } = manualPasses();
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('a');
    await settle();
    expect(begun).toEqual(['a']);
    end('a')?.resolve();
    await settle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('works on as many keys as it has workers', async () => {
    const { queue, begun, end } = manualPasses(2);
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settle();
    expect(begun).toEqual(['a', 'b']);
    end('a')?.resolve();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('waits longer after each failure, up to a ceiling, and begins anew after a success', async () => {
    const { queue, clock, begun, troubles, end } = manualPasses();
    queue.add('a');
    for (let time = 0; time < 12; time++) {
      await settle();
      end('a')?.reject(new Error('no'));
      await clock.pass(30);
    }
    expect(troubles.slice(0, 3)).toEqual(['a 0.05', 'a 0.1', 'a 0.2']);
    expect(troubles.at(-1)).toBe('a 30');
    end('a')?.resolve();
    await settle();
    queue.add('a');
    await settle();
    end('a')?.reject(new Error('no'));
    await settle();
    expect(troubles.at(-1)).toBe('a 0.05');
    expect(begun).toHaveLength(14);
  });

  test('is not held up by the wait after a failure when the key is added again', async () => {
    const { queue, begun, end } = manualPasses();
    queue.add('a');
    await settle();
    end('a')?.reject(new Error('no'));
    await settle();
    queue.add('a');
    await settle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('calls a pass again when the pass asked for it, at the earliest of the times asked for', async () => {
    const { queue, clock, begun, end } = manualPasses();
    queue.add('a');
    await settle();
    queue.addAfter('a', 5);
    end('a')?.resolve({ afterSeconds: 60 });
    await clock.pass(4.9);
    expect(begun).toEqual(['a']);
    await clock.pass(0.2);
    expect(begun).toEqual(['a', 'a']);
    end('a')?.resolve();
    await clock.pass(120);
    expect(begun).toEqual(['a', 'a']);
  });

  test('begins nothing after it was told to stop, and is idle when what runs has ended', async () => {
    const { queue, clock, begun, stop, end } = manualPasses(1);
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 1);
    await settle();
    stop();
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await clock.pass(10);
    expect(isIdle).toBe(false);
    end('a')?.resolve();
    await idle;
    expect(begun).toEqual(['a']);
  });
});
