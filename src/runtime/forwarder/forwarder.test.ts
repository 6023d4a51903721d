import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from './forwarder-files.ts';
import { ForwarderWorld } from './forwarder-world.contract.ts';
import type { Listener } from './forwarding-table.ts';
import { ask, endpoint, httpServer, type TestServer } from './servers.contract.ts';

describe('a forwarder', () => {
  let world: ForwarderWorld;
  let server: TestServer;
  let listener: Listener;
  beforeEach(async () => {
    world = new ForwarderWorld();
    server = await httpServer((_, response) => response.end('served'));
    const port = await ForwarderWorld.port();
    listener = {
      id: 'default/web:80',
      address: '127.0.0.1',
      port,
      protocol: 'auto',
      endpoints: [endpoint(server.port)],
    };
  });
  afterEach(async () => {
    server.close();
    await world.close();
  });

  test('waits for a first table', async () => {
    await world.startHere();
    await world.until('it says so', ([report]) => report?.generation === -1 && report.problems.length === 1);
    await world.apply([listener]);
    await world.listener(listener.id);
    expect((await ask(listener.port)).body).toBe('served');
  });

  test.each([
    ['is cut off', '{"version":1,"generation":2,"listen'],
    ['is of a version that is not known', '{"version":99}'],
    [
      'lacks what it must have',
      '{"version":1,"generation":2,"program":{"command":["x"],"digest":""},"listeners":[{}]}',
    ],
    ['is empty', ''],
  ])('goes by the last good table when the new one %s, and says so', async (_, text) => {
    world.write([listener]);
    await world.startHere();
    replaceFile(world.files.table, text);
    const [report] = await world.until('it says so', ([report]) => report?.problems.length === 1);
    expect(report?.generation).toBe(1);
    expect((await ask(listener.port)).body).toBe('served');
    await world.apply([listener]);
    await world.until('all is well', ([report]) => report?.problems.length === 0);
  });

  test('takes in a table that is written in place too', async () => {
    await world.startHere();
    const table = { version: 1, generation: 7, program: world.program, listeners: [listener] };
    writeFileSync(world.files.table, JSON.stringify(table));
    await world.until('it is taken in', ([report]) => report?.generation === 7);
  });

  test('names a port that somebody else has, and takes it when it is free', async () => {
    const other = createServer().listen(listener.port, '127.0.0.1');
    await once(other, 'listening');
    world.write([listener]);
    await world.startHere();
    await world.listener(listener.id, ({ problem }) => problem === 'EADDRINUSE');
    other.close();
    await world.listener(listener.id, ({ problem }) => problem === undefined);
    expect((await ask(listener.port)).body).toBe('served');
  });

  test('names an address that this machine does not have', async () => {
    world.write([{ ...listener, address: '192.0.2.1' }]);
    await world.startHere();
    await world.listener(listener.id, ({ problem }) => problem === 'EADDRNOTAVAIL');
  });

  test('leaves a port that is out of the table', async () => {
    world.write([listener]);
    await world.startHere();
    expect((await ask(listener.port)).body).toBe('served');
    await world.apply([]);
    await expect(ask(listener.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
