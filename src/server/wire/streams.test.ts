import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { ClusterObject, WatchEvent, WatchOptions } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import type { LogQuery, LogSource } from '../../cluster/pod-log.ts';
import { clusterThat, wireWorld } from './wire-world.contract.ts';

const maps = '/api/v1/namespaces/here/configmaps';
const patience = { timeout: 20_000, interval: 20 };

function configMap(name: string, data = ''): ClusterObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion: '5' }, data: { data } };
}

const bookmark: WatchEvent = { type: 'BOOKMARK', object: configMap('') };
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** A watch that says these events and then hangs until it is not wanted any more; what was asked is kept. */
function watching(events: readonly WatchEvent[]) {
  const asked: WatchOptions[] = [];
  const state = { open: 0 };
  async function* watch(_: unknown, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    asked.push(options);
    state.open += 1;
    try {
      yield* events;
      const { signal } = options;
      if (!signal?.aborted) await new Promise(resolve => signal?.addEventListener('abort', resolve));
    } finally {
      state.open -= 1;
    }
  }
  return { cluster: clusterThat({ watch }), asked, state };
}

describe('a watch', () => {
  test('is an event a line, of what was selected, with bookmarks for those who ask', async () => {
    const { cluster, asked } = watching([{ type: 'ADDED', object: configMap('a') }, bookmark]);
    const world = await wireWorld(cluster);
    const query = 'watch=true&timeoutSeconds=1&labelSelector=a%3Db&fieldSelector=metadata.name%3Da';
    const [plain, marked] = await Promise.all([
      world.ask(`${maps}?${query}&resourceVersion=7`),
      world.ask(`${maps}?${query}&allowWatchBookmarks=true`),
    ]);
    expect(linesOf(plain.text)).toEqual([{ type: 'ADDED', object: configMap('a') }]);
    expect(linesOf(marked.text).map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    const selection = { namespace: 'here', labelSelector: 'a=b', fieldSelector: 'metadata.name=a' };
    expect(asked).toMatchObject([{ ...selection, resourceVersion: '7' }, selection]);
  });

  test('of one object is a watch of its name', async () => {
    const { cluster, asked } = watching([]);
    const world = await wireWorld(cluster);
    await world.ask(`${maps}/a?watch=1&timeoutSeconds=1`);
    expect(asked).toMatchObject([{ namespace: 'here', fieldSelector: 'metadata.name=a' }]);
  });

  test('begins to be answered before anything happens', async () => {
    const world = await wireWorld(watching([]).cluster);
    const { request, response } = await world.begin(`${maps}?watch=1`);
    expect(response.statusCode).toBe(200);
    request.destroy();
  });

  test.each(['at once', 'later'])('from a moment too long ago says so in an event, %s', async when => {
    const error = new ClusterError('Expired', 'too old');
    const watch = () => {
      if (when === 'at once') throw error;
      return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
    };
    const world = await wireWorld(clusterThat({ watch }));
    const { code, text } = await world.ask(`${maps}?watch=1&resourceVersion=1`);
    expect(code).toBe(200);
    expect(linesOf(text)).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } },
    ]);
  });

  test('that is refused is refused before it begins', async () => {
    const watch = () => {
      throw new ClusterError('Invalid', 'no such moment');
    };
    const world = await wireWorld(clusterThat({ watch }));
    expect(await world.ask(`${maps}?watch=1&resourceVersion=x`)).toMatchObject({ code: 422 });
  });

  test('ends with whoever watches', async () => {
    const { cluster, state } = watching([]);
    const world = await wireWorld(cluster);
    const { request } = await world.begin(`${maps}?watch=1`);
    await vi.waitFor(() => expect(state.open).toBe(1), patience);
    request.destroy();
    await vi.waitFor(() => expect(state.open).toBe(0), patience);
    expect(world.troubles).toEqual([]);
  });

  test('ends in good order with the server', async () => {
    const { cluster, state } = watching([{ type: 'ADDED', object: configMap('a') }]);
    const world = await wireWorld(cluster);
    const asked = world.ask(`${maps}?watch=1`);
    await vi.waitFor(() => expect(state.open).toBe(1), patience);
    world.stop.abort();
    expect(linesOf((await asked).text)).toHaveLength(1);
    await world.ended;
    expect(state.open).toBe(0);
    await expect(world.ask('/livez')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('is taken from the cluster only as fast as it is read', async () => {
    let taken = 0;
    const data = 'x'.repeat(64 * 1024);
    let isOver = false;
    async function* watch(): AsyncGenerator<WatchEvent> {
      try {
        for (; ; taken++) yield { type: 'MODIFIED', object: configMap('a', data) };
      } finally {
        isOver = true;
      }
    }
    const world = await wireWorld(clusterThat({ watch }));
    const { request, response } = await world.begin(`${maps}?watch=1`);
    // Nobody reads: what the kernel takes is all that goes, and then it stands still.
    const still = await standsStill(() => taken);
    expect(still).toBeLessThan(400);
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    await vi.waitFor(() => expect(taken).toBeGreaterThan(still + 50), patience);
    expect(bytes).toBeGreaterThan(64 * 1024);
    request.destroy();
    await vi.waitFor(() => expect(isOver).toBe(true), patience);
  });
});

test('who reads a watch too slowly is told so when it reads on, and keeps nothing in memory meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-slow-'));
  const store = await EmbeddedCluster.open(folder, { historyEvents: 50 });
  try {
    await store.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'here' } });
    const world = await wireWorld(store, { kinds: () => store.kinds() });
    const { response } = await world.begin(`${maps}?watch=1&resourceVersion=1`);
    // More than the kernel takes for a reader that does not read, and more changes than the store keeps.
    const data = 'x'.repeat(500_000);
    for (let count = 0; count < 60; count++) {
      await store.create({
        ...configMap(`a-${count}`, data),
        metadata: { name: `a-${count}`, namespace: 'here' },
      });
    }
    store.compact();
    const lines = linesOf(await text(response));
    expect(lines.length).toBeLessThan(60);
    expect(lines.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});

/** The value when it has not changed for a while. */
async function standsStill(value: () => number): Promise<number> {
  for (let last = -1; ; ) {
    if (value() === last) return last;
    last = value();
    await sleep(500);
  }
}

describe('a log', () => {
  const path = '/api/v1/namespaces/here/pods/web/log';

  test('is what the container wrote, of the part that is asked for', async () => {
    const asked: [LogSource, LogQuery | undefined][] = [];
    async function* logs(of: LogSource, query?: LogQuery): AsyncGenerator<Buffer> {
      asked.push([of, query]);
      yield Buffer.from([0x68, 0xff]);
      yield Buffer.from('i\n');
    }
    const world = await wireWorld(clusterThat({}), { logs });
    const { response } = await world.begin(
      `${path}?container=main&tailLines=2&previous=true&timestamps=true`,
    );
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from([0x68, 0xff, 0x69, 0x0a]));
    expect(asked).toMatchObject([
      [
        { namespace: 'here', pod: 'web', container: 'main' },
        { tailLines: 2, previous: true, timestamps: true, follow: false },
      ],
    ]);
  });

  test('is refused in the words of who keeps it', async () => {
    const error = new ClusterError('BadRequest', 'container "main" in pod "web" is waiting to start');
    const now = () => {
      throw error;
    };
    const soon = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) });
    for (const logs of [now, soon]) {
      const world = await wireWorld(clusterThat({}), { logs });
      expect((await world.ask(path)).json).toMatchObject({ code: 400, message: error.message });
    }
  });

  test('is not given in a way that nobody can give it', async () => {
    const world = await wireWorld(clusterThat({}), { logs: async function* () {} });
    for (const wrong of [
      'stream=Stderr',
      'sinceTime=yesterday',
      'sinceSeconds=soon',
      'sinceSeconds=1&sinceTime=2026-01-31T22:00:00Z',
    ]) {
      expect(await world.ask(`${path}?${wrong}`)).toMatchObject({ code: 400 });
    }
    expect(await world.ask(`${path}?stream=All`)).toMatchObject({ code: 200 });
  });

  test('is given from a moment on', async () => {
    const asked: (Date | undefined)[] = [];
    async function* logs(_: LogSource, { since }: LogQuery = {}): AsyncGenerator<Buffer> {
      asked.push(since);
      yield Buffer.from('a\n');
    }
    const world = await wireWorld(clusterThat({}), { logs });
    await world.ask(`${path}?sinceTime=2026-01-31T22:00:00Z`);
    const before = Date.now();
    await world.ask(`${path}?sinceSeconds=60`);
    expect(asked[0]).toEqual(new Date('2026-01-31T22:00:00Z'));
    const ago = (asked[1]?.getTime() ?? 0) - (before - 60_000);
    expect(ago).toBeGreaterThanOrEqual(0);
    expect(ago).toBeLessThanOrEqual(Date.now() - before);
  });

  test('that is followed begins at once, and is let go of with its reader', async () => {
    let stopped: AbortSignal | undefined;
    async function* logs(_: LogSource, { signal }: LogQuery = {}): AsyncGenerator<Buffer> {
      stopped = signal;
      await new Promise(resolve => signal?.addEventListener('abort', resolve));
    }
    const world = await wireWorld(clusterThat({}), { logs });
    const { request, response } = await world.begin(`${path}?follow=true`);
    expect(response.statusCode).toBe(200);
    request.destroy();
    await vi.waitFor(() => expect(stopped?.aborted).toBe(true), patience);
  });

  test('that breaks in the middle is cut, and not taken for whole', async () => {
    async function* logs(): AsyncGenerator<Buffer> {
      yield Buffer.from('one\n');
      throw new ClusterError('InternalError', 'the disk is gone');
    }
    const world = await wireWorld(clusterThat({}), { logs });
    await expect(world.ask(path)).rejects.toThrow(/aborted/);
  });
});
