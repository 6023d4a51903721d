import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findHaproxy, type Haproxy } from '../scripts/find-haproxy.ts';
import { freePorts } from '../scripts/kubernetes/process/free-ports.ts';
import { waitUntil } from '../scripts/kubernetes/process/wait-until.ts';
import { bundleForwarder, ForwarderWorld } from '../src/runtime/forwarder/forwarder-world.contract.ts';
import { endpoint } from '../src/runtime/forwarder/servers.contract.ts';
import type { Load, LoadResult } from './forward/load-client.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';

const protocols = ['tcp', 'http'] as const;
type Protocol = (typeof protocols)[number];
/** Where a protocol is served: without anybody between, by HAProxy, by us. */
type Ports = Record<'direct' | 'haproxy' | 'ours', Record<Protocol, number>>;

/** How many times worse than HAProxy: half as many requests per second of the processor for bytes, 0.15 times for requests. */
const goals = { tcp: 2, http: 1 / 0.15 };

/** One process between, as it would be configured for the same task. */
function haproxyConfiguration({ direct, haproxy }: Ports): string {
  const part = (protocol: Protocol) => `
listen ${protocol}
  mode ${protocol}
  bind 127.0.0.1:${haproxy[protocol]}
  server one 127.0.0.1:${direct[protocol]}
`;
  return `global
  nbthread 1
  maxconn 1000
defaults
  timeout connect 5s
  timeout client 1h
  timeout server 1h
${protocols.map(part).join('')}`;
}

async function startHaproxy(
  { program, environment }: Haproxy,
  ports: Ports,
  folder: string,
): Promise<ChildProcess> {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, haproxyConfiguration(ports));
  const child = spawn(program, ['-db', '-q', '-f', file], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  await Promise.all(protocols.map(protocol => answers(ports.haproxy[protocol])));
  return child;
}

async function startOurs(world: ForwarderWorld, { direct, ours }: Ports): Promise<ChildProcess> {
  const file = join(world.folder, 'forwarder.mjs');
  await bundleForwarder(file);
  world.write(
    protocols.map(protocol => ({
      id: `bench/${protocol}:1`,
      address: '127.0.0.1',
      port: ours[protocol],
      protocol,
      endpoints: [endpoint(direct[protocol])],
    })),
  );
  const child = await world.startProcess(file);
  await Promise.all(protocols.map(protocol => answers(ours[protocol])));
  return child;
}

async function answers(port: number): Promise<void> {
  await waitUntil(`port ${port}`, 20, async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
}

/** Seconds of the processor that a process has used, of all its threads. */
function processorSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100; // USER_HZ is 100 on every Linux
}

async function drive(client: ChildProcess, load: Load): Promise<LoadResult> {
  const result = once(client, 'message');
  client.send(load);
  const [answer] = (await result) as [LoadResult];
  return answer;
}

/** Requests per second of the processor of whoever is between, several times in turns, so that a busy moment hits both. */
async function* compareCost(
  protocol: Protocol,
  ports: Ports,
  { client, haproxy, ours }: Record<'client' | 'haproxy' | 'ours', ChildProcess>,
  size: BenchSize,
): AsyncGenerator<Measure> {
  const [rounds, seconds] = size === 'full' ? [7, 4] : [3, 1];
  const rates = { haproxy: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, child] of [
      ['haproxy', haproxy],
      ['ours', ours],
    ] as const) {
      const before = processorSeconds(child.pid);
      const { requests } = await drive(client, {
        port: ports[name][protocol],
        protocol,
        connections: 32,
        seconds,
      });
      // The first round warms up.
      if (round > 0) rates[name].push(requests / (processorSeconds(child.pid) - before));
    }
  }
  yield measured({
    measure: `${protocol}: requests per second of the processor`,
    value: median(rates.ours),
    unit: '1/s',
    against: 'HAProxy with one thread',
    floor: median(rates.haproxy),
    goal: goals[protocol],
    more: 'is better',
  });
}

/** Milliseconds that are not told from nothing. */
const resolution = 0.01;

/** How much longer a request takes on an idle machine, which is what a client notices. */
async function* compareDelay(
  protocol: Protocol,
  ports: Ports,
  client: ChildProcess,
  size: BenchSize,
): AsyncGenerator<Measure> {
  const [rounds, seconds] = size === 'full' ? [7, 2] : [3, 0.5];
  const times = { direct: [] as LoadResult[], haproxy: [] as LoadResult[], ours: [] as LoadResult[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['direct', 'haproxy', 'ours'] as const) {
      times[name].push(
        await drive(client, { port: ports[name][protocol], protocol, connections: 1, seconds }),
      );
    }
  }
  for (const part of ['p50', 'p99'] as const) {
    const of = (name: keyof typeof times) => median(times[name].map(result => result[part]));
    const direct = of('direct');
    yield measured({
      measure: `${protocol}: added to a direct request, ${part}`,
      value: Math.max(of('ours') - direct, resolution),
      unit: 'ms',
      against: `what HAProxy adds to ${direct.toFixed(3)} ms`,
      floor: Math.max(of('haproxy') - direct, resolution),
      goal: part === 'p50' ? 4 : 8,
    });
  }
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const found = await findHaproxy();
  if (typeof found === 'string') {
    console.error(`benchmark forward is skipped: ${found}`);
    return;
  }
  const world = new ForwarderWorld();
  const children: ChildProcess[] = [];
  const forked = (name: string) => {
    const child = fork(join(import.meta.dirname, 'forward', name));
    children.push(child);
    return child;
  };
  try {
    const [direct] = (await once(forked('echo-server.ts'), 'message')) as [Ports['direct']];
    const [a = 0, b = 0, c = 0, d = 0] = await freePorts(4);
    const ports: Ports = { direct, haproxy: { tcp: a, http: b }, ours: { tcp: c, http: d } };
    const haproxy = await startHaproxy(found, ports, world.folder);
    children.push(haproxy);
    const ours = await startOurs(world, ports);
    const client = forked('load-client.ts');
    for (const protocol of protocols) {
      yield* compareCost(protocol, ports, { client, haproxy, ours }, size);
      yield* compareDelay(protocol, ports, client, size);
    }
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await world.close();
  }
}

export const bench: Bench = { name: 'forward', run };
