import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { claimedBy } from './claim.ts';
import { pidOf } from './forwarder-identity.ts';
import { bundleForwarder, ForwarderWorld } from './forwarder-world.contract.ts';
import type { ForwarderProgram, Listener } from './forwarding-table.ts';
import { ask, endpoint, httpServer, type TestServer, tcpServer } from './servers.contract.ts';

describe.skipIf(process.platform !== 'linux')('the process of a forwarder', () => {
  const programs = mkdtempSync(join(tmpdir(), 'afloat-forwarder-programs-'));
  const [old, young] = [join(programs, 'old.mjs'), join(programs, 'young.mjs')];
  let world: ForwarderWorld;
  let server: TestServer;
  let listener: Listener;

  beforeAll(async () => {
    await bundleForwarder(old, 'old');
    await bundleForwarder(young, 'young');
  });
  afterAll(() => rmSync(programs, { recursive: true }));
  beforeEach(async () => {
    world = new ForwarderWorld();
    server = await httpServer((_, response) => response.end('served'));
    const port = await ForwarderWorld.port();
    listener = {
      id: 'default/web:80',
      address: '127.0.0.1',
      port,
      protocol: 'http',
      endpoints: [endpoint(server.port)],
    };
  });
  afterEach(async () => {
    server.close();
    await world.close();
  });

  function program(file: string, digest: string): ForwarderProgram {
    return { command: [process.execPath, file, world.folder, digest], digest };
  }

  async function started(): Promise<void> {
    world.program = program(old, 'old');
    world.write([listener]);
    await world.startProcess(old, 'old');
    await world.listener(listener.id, ({ problem }) => problem === undefined);
  }

  test('ends at once where another one has the folder', async () => {
    await started();
    const second = await world.startProcess(old, 'old');
    const [code] = await once(second, 'exit');
    expect(code).toBe(3);
    expect((await ask(listener.port)).body).toBe('served');
  });

  test('of several that start at the same time one stays', async () => {
    world.program = program(old, 'old');
    world.write([listener]);
    const all = await Promise.all(Array.from({ length: 5 }, () => world.startProcess(old, 'old')));
    const codes = await Promise.all(
      all.map(child => Promise.race([once(child, 'exit').then(([code]) => code), sleep(6000, 'runs')])),
    );
    expect(codes.sort()).toEqual([3, 3, 3, 3, 'runs']);
    expect((await ask(listener.port)).body).toBe('served');
  });

  test('comes back after kill -9 with the same table and ports', async () => {
    await started();
    const first = claimedBy(world.files) ?? '';
    process.kill(pidOf(first), 'SIGKILL');
    await expect(async () => {
      for (;;) await ask(listener.port);
    }).rejects.toThrow();
    await world.startProcess(old, 'old');
    await world.listener(listener.id, ({ problem }) => problem === undefined);
    expect((await ask(listener.port)).body).toBe('served');
    expect(claimedBy(world.files)).not.toBe(first);
  });

  test('hands over to another program under load without a lost request', async () => {
    await started();
    const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    let going = true;
    let requests = 0;
    const clients = agents.map(async (agent, number) => {
      while (going) {
        // Half of them keep their connections, half come anew each time.
        const { body } = await ask(listener.port, {
          ...(number % 2 ? { agent } : {}),
          method: number % 3 ? 'GET' : 'POST',
        });
        if (body !== 'served') throw new Error(`answered ${body}`);
        requests += 1;
      }
    });
    for (const [file, digest] of [
      [young, 'young'],
      [old, 'old'],
      [young, 'young'],
    ] as const) {
      const before = claimedBy(world.files);
      world.program = program(file, digest);
      world.write([listener]);
      await world.until(`${digest} forwards`, reports => {
        const [only] = reports.filter(({ retired }) => !retired);
        return (
          only?.program === digest && claimedBy(world.files) === only.identity && only.identity !== before
        );
      });
      await world.until('the other one is done', reports => reports.length === 1);
    }
    going = false;
    await Promise.all(clients);
    for (const agent of agents) agent.destroy();
    expect(requests).toBeGreaterThan(100);
  });

  test('that was relieved finishes what it has, by the tables that follow', async () => {
    const echo = await tcpServer(socket => socket.pipe(socket));
    listener = { ...listener, protocol: 'tcp', endpoints: [endpoint(echo.port)] };
    await started();
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('before');
    expect(`${(await once(socket, 'data'))[0]}`).toBe('before');
    world.program = program(young, 'young');
    const generation = world.write([
      { ...listener, endpoints: [endpoint(echo.port, { state: 'draining' })] },
    ]);
    const reports = await world.until('both go by the new table', reports => {
      const isOne = reports.filter(({ retired }) => retired).length === 1;
      return isOne && reports.length === 2 && reports.every(report => report.generation === generation);
    });
    const retired = reports.find(report => report.retired);
    expect(retired?.listeners[0]?.endpoints[0]).toMatchObject({ state: 'draining', inFlight: 1 });
    socket.write('after');
    expect(`${(await once(socket, 'data'))[0]}`).toBe('after');
    socket.destroy();
    await world.until('the old one has ended', reports => reports.length === 1);
    echo.close();
  });

  test('stays where the program that is to take over does not start, and says so', async () => {
    await started();
    world.program = { command: ['/nowhere/afloat'], digest: 'broken' };
    world.write([listener]);
    await world.until('it says so', ([report]) => report?.problems.length === 1);
    expect((await ask(listener.port)).body).toBe('served');
  });

  test('ends by SIGTERM, and takes its report away', async () => {
    await started();
    process.kill(pidOf(claimedBy(world.files) ?? ''), 'SIGTERM');
    await world.until('no report is left', reports => reports.length === 0);
    await waitUntil('the claim is over', 10, async () => claimedBy(world.files) === undefined);
    expect(readdirSync(world.files.reports)).toEqual([]);
  });
});
