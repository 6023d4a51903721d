import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../cluster/contract/manual-clock.contract.ts';
import { aContainer } from '../decide/a-pod.contract.ts';
import type { Container } from '../pod-shape.ts';
import { ScriptedContainers } from '../scripted-containers.contract.ts';
import { askHttp } from './ask-http.ts';
import { RunProbes } from './run-probes.ts';

const id = { podUid: 'u', name: 'main', attempt: 0 };
let probes: RunProbes | undefined;
afterEach(() => probes?.stop());

/** The probes of a container that answers by these lists, the last answer for ever. */
async function probed(
  container: Partial<Container>,
  answers: Readonly<Record<string, readonly boolean[]>>,
  known = {},
) {
  const clock = new ManualClock();
  const left = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
  const events: string[] = [];
  const containers = new ScriptedContainers('/nowhere', clock, () => ({
    exec: ([name = '']) => {
      const list = left.get(name) ?? [];
      const isGood = list.length > 1 ? list.shift() : list[0];
      return { exitCode: isGood ? 0 : 1 };
    },
  }));
  await containers.start({ ...id, command: ['x'], env: {}, mounts: [] });
  probes = new RunProbes({
    subject: { id, container: aContainer('main', container), podIp: '' },
    startedAt: clock.wall(),
    known: { isStarted: false, isReady: false, ...known },
    containers,
    clock,
    onEvent: ({ message }) => events.push(message),
    onResult: () => {},
  });
  return { clock, events, containers, results: () => ({ ...probes?.results }) };
}

const program = (name: string, more = {}) => ({
  exec: { command: [name] },
  periodSeconds: 1,
  failureThreshold: 2,
  ...more,
});

describe('what probes say', () => {
  test('ready at once after the first success, unready after so many failures', async () => {
    const { clock, results, events } = await probed(
      { readinessProbe: program('ready') },
      { ready: [true, false, false, true] },
    );
    await clock.pass(0);
    expect(results()).toEqual({ readiness: true });
    await clock.pass(1);
    expect(results()).toEqual({ readiness: true });
    await clock.pass(1);
    expect(results()).toEqual({ readiness: false });
    await clock.pass(1);
    expect(results()).toEqual({ readiness: true });
    expect(events).toEqual(['Readiness probe failed: ', 'Readiness probe failed: ']);
  });

  test('nothing is asked before its time', async () => {
    const { clock, results } = await probed(
      { readinessProbe: program('ready', { initialDelaySeconds: 5 }) },
      { ready: [true] },
    );
    await clock.pass(4);
    expect(results()).toEqual({});
    await clock.pass(1);
    expect(results()).toEqual({ readiness: true });
  });

  test('the others wait for the startup probe', async () => {
    const { clock, results, containers } = await probed(
      { startupProbe: program('up', { failureThreshold: 9 }), livenessProbe: program('alive') },
      { up: [false, false, true], alive: [false] },
    );
    await clock.pass(1);
    expect(containers.done).not.toContain('exec main/0 alive');
    await clock.pass(1);
    expect(results()).toEqual({ startup: true });
    await clock.pass(1);
    expect(results()).toEqual({ startup: true, liveness: false });
    await clock.pass(5);
    expect(containers.done.filter(what => what.endsWith('alive'))).toHaveLength(2);
  });

  test('what an earlier manager found out is known', async () => {
    const { clock, results, containers } = await probed(
      { startupProbe: program('up'), readinessProbe: program('ready', { initialDelaySeconds: 60 }) },
      { up: [false], ready: [false] },
      { isStarted: true, isReady: true },
    );
    await clock.pass(10);
    expect(results()).toEqual({ startup: true, readiness: true });
    expect(containers.done).toEqual([]);
  });
});

describe('by HTTP', () => {
  test.each([
    [200, true],
    [302, true],
    [404, false],
    [500, false],
  ])('%d is good: %s', async (status, isGood) => {
    const server = createServer((_, answer) => answer.writeHead(status).end('text')).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const asked = await askHttp({ get: { port, path: '/x' }, podIp: '127.0.0.1', port, timeoutSeconds: 2 });
    expect(asked.isGood).toBe(isGood);
    server.close();
  });

  /** A server that does this with each request, and what came of asking it. */
  async function asked(onRequest: RequestListener, timeoutSeconds: number) {
    const server = createServer(onRequest).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const get = { port, httpHeaders: [{ name: 'Host', value: 'example.org' }] };
    const answer = await askHttp({ get, podIp: '127.0.0.1', port, timeoutSeconds });
    server.closeAllConnections();
    server.close();
    return answer;
  }

  test('headers are sent', async () => {
    let host: string | undefined;
    const answer = await asked((request, response) => {
      host = request.headers.host;
      response.end();
    }, 10);
    expect([answer.isGood, host]).toEqual([true, 'example.org']);
  });

  test('an answer that takes too long is a failure', async () => {
    const output = expect.stringContaining('context deadline exceeded');
    expect(await asked(() => {}, 0.2)).toEqual({ isGood: false, output });
  });
});
