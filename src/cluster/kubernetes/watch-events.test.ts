import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchEvent } from '../cluster.ts';
import { watchEvents } from './watch-events.ts';

const event = (name: string): WatchEvent => ({
  type: 'ADDED',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
});

async function read(pieces: readonly string[]): Promise<WatchEvent[]> {
  const seen: WatchEvent[] = [];
  const stream = (async function* () {
    yield* pieces;
  })();
  for await (const one of watchEvents(stream)) seen.push(one);
  return seen;
}

describe('watchEvents', () => {
  test('finds the same events however the lines are cut into pieces', async () => {
    const events = ['one', 'zwö', 'three 🐳', ''].map(event);
    const text = events.map(one => `${JSON.stringify(one)}\n`).join('');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: text.length })), async cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(await read(pieces)).toEqual(events);
      }),
    );
  });

  test('drops a last line that was cut off', async () => {
    expect(await read([`${JSON.stringify(event('a'))}\n{"type":"AD`])).toEqual([event('a')]);
  });

  test('throws what an ERROR event says', async () => {
    const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    await expect(read([`${JSON.stringify({ type: 'ERROR', object })}\n`])).rejects.toMatchObject({
      reason: 'Expired',
    });
  });

  test.each(['nonsense', '{}', '{"type":"ODD","object":{}}', '[]'])('throws for the line %s', async line => {
    await expect(read([`${line}\n`])).rejects.toThrow();
  });
});
