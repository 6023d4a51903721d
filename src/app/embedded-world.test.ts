/** The world of one machine with real processes: the manager is a process of its own, and so is whatever Pods run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClusterObject, StoredObject } from '../cluster/cluster.ts';
import { imagesLabel } from '../runtime/image/config-map-images.ts';
import { identityOf } from '../runtime/process/process-identity.ts';
import { writeKubeconfig } from '../server/kubeconfig.ts';
import { bundleManager } from '../testing/bundle-manager.ts';
import { type ConnectedWorld, connectWorld } from './connect-world.ts';
import { openEmbeddedWorld } from './embedded-world.ts';
import { readManagerNote, writeManagerNote } from './manager-note.ts';
import { type StopProgress, stopEmbeddedWorld } from './stop-embedded-world.ts';

const podType = { apiVersion: 'v1', kind: 'Pod' };
const namespace = 'cloud';
const patience = { timeout: 60_000, interval: 50 };
const says = 'echo "hello from $HOSTNAME"; trap "exit 0" TERM; while :; do sleep 0.2; done';

const images: ClusterObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'images', namespace, labels: { [imagesLabel]: 'true' } },
  data: { all: '{"machine": {}}' },
};

const labels = { app: 'hello' };
const deployment: ClusterObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'hello', namespace },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 3,
        containers: [{ name: 'main', image: 'machine', command: ['/bin/sh', '-c', says] }],
      },
    },
  },
};

let folder: string;
let managers: ChildProcess[];
let worlds: ConnectedWorld[];

let program: string;
beforeAll(async () => {
  const bundled = await bundleManager(join(import.meta.dirname, 'embedded-world-program.contract.ts'));
  ({ program } = bundled);
  return bundled.remove;
}, 60_000);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-world-'));
  managers = [];
  worlds = [];
});

afterEach(async () => {
  for (const world of worlds) await world.close();
  for (const manager of managers) await killed(manager);
  await stopEmbeddedWorld(folder, { takeDown: true });
  expect(processesOf(folder)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Starts a manager in a process of its own; returns when commands can connect. */
async function up(): Promise<{ manager: ChildProcess; port: number }> {
  const manager = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  managers.push(manager);
  const [{ port }] = (await once(manager, 'message')) as [{ port: number }];
  return { manager, port };
}

async function killed(manager: ChildProcess): Promise<void> {
  if (manager.exitCode !== null || manager.signalCode !== null) return;
  const ended = once(manager, 'exit');
  manager.kill('SIGKILL');
  await ended;
}

async function connect(): Promise<ConnectedWorld> {
  const world = await connectWorld({ stateFolder: folder });
  worlds.push(world);
  return world;
}

async function runningPods({ cluster }: ConnectedWorld): Promise<readonly StoredObject[]> {
  return vi.waitFor(async () => {
    const { items } = await cluster.list(podType, { namespace, labelSelector: 'app=hello' });
    const running = items.filter(pod => (pod['status'] as { phase?: string }).phase === 'Running');
    expect(running).toHaveLength(2);
    return running;
  }, patience);
}

async function deployed(): Promise<{ world: ConnectedWorld; pods: readonly StoredObject[] }> {
  const world = await connect();
  await world.ensureNamespace(namespace);
  await world.ensureNamespace(namespace);
  await world.cluster.create(images);
  await world.cluster.create(deployment);
  return { world, pods: await runningPods(world) };
}

/** Programs of Pods carry the folder of their Pod in their environment; the manager does not. */
function processesOf(stateFolder: string): string[] {
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(join(stateFolder, 'runtime'));
      } catch {
        return false;
      }
    })
    .sort();
}

function firstProcesses(pods: readonly StoredObject[]): unknown[] {
  return pods.map(pod => {
    const path = join(folder, 'runtime', 'pods', pod.metadata.uid, 'containers', 'main', '0', 'pid');
    return readFileSync(path, 'utf8');
  });
}

async function text(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

describe('a world of its own', { timeout: 120_000 }, () => {
  test('runs what is asked for over the wire, tells what it wrote, and is taken down without a rest', async () => {
    await up();
    expect(statSync(join(folder, 'kubeconfig')).mode & 0o777).toBe(0o600);
    const { world, pods } = await deployed();
    expect(world.world).toBe('embedded');
    const [pod] = pods;
    const of = { namespace, pod: pod?.metadata.name ?? '' };
    await vi.waitFor(async () => {
      expect(await text(world.podLogs(of, { tailLines: 1 }))).toBe(`hello from ${of.pod}\n`);
    }, patience);
    await expect(text(world.podLogs({ ...of, pod: 'nobody' }))).rejects.toMatchObject({ reason: 'NotFound' });
    expect(processesOf(folder).length).toBeGreaterThan(0);

    const seen: StopProgress[] = [];
    const stopped = await stopEmbeddedWorld(folder, { takeDown: true, onProgress: one => seen.push(one) });
    expect(stopped.manager?.pid).toBe(managers[0]?.pid);
    expect(stopped.tookDown).toBe(true);
    expect(seen.map(({ doing }) => doing)).toEqual(
      expect.arrayContaining(['waiting for the manager', 'ending processes']),
    );
    expect(processesOf(folder)).toEqual([]);
    await expect(connect()).rejects.toMatchObject({ code: 'NotUp' });
  });

  test('a log that is followed ends when the reader has enough', async () => {
    await up();
    const { world, pods } = await deployed();
    const stop = new AbortController();
    const of = { namespace, pod: pods[0]?.metadata.name ?? '' };
    let seen = '';
    for await (const piece of world.podLogs(of, { follow: true, signal: stop.signal })) {
      seen += piece;
      if (seen.includes('\n')) stop.abort();
    }
    expect(seen).toBe(`hello from ${of.pod}\n`);
  });

  test('after a kill the next manager has the same objects, and the same processes', async () => {
    const first = await up();
    const { world, pods } = await deployed();
    const before = firstProcesses(pods);
    await killed(first.manager);
    await expect(connect()).rejects.toMatchObject({
      code: 'NotUp',
      message: expect.stringContaining('word'),
    });
    expect(firstProcesses(pods)).toEqual(before);

    const second = await up();
    expect(second.port).toBe(first.port);
    const again = await connect();
    const now = await runningPods(again);
    expect(now.map(pod => pod.metadata.uid).sort()).toEqual(pods.map(pod => pod.metadata.uid).sort());
    expect(firstProcesses(pods)).toEqual(before);
    // Who was connected before goes on: the token is another one, the place is the same.
    const found = await world.cluster.get({ ...podType, namespace, name: pods[0]?.metadata.name ?? '' });
    expect(found.metadata.uid).toBe(pods[0]?.metadata.uid);
  });

  test('stopped without being taken down, what runs runs on', async () => {
    await up();
    const { pods } = await deployed();
    const before = firstProcesses(pods);
    const { manager, tookDown } = await stopEmbeddedWorld(folder, { takeDown: false });
    expect([manager?.pid, tookDown]).toEqual([managers[0]?.pid, false]);
    expect(await readManagerNote(join(folder, 'manager.json'))).toMatchObject({
      endedAt: expect.any(String),
    });
    expect(processesOf(folder).length).toBeGreaterThan(0);
    await up();
    await runningPods(await connect());
    expect(firstProcesses(pods)).toEqual(before);
  });

  test('a second manager is refused, and the first goes on', async () => {
    const { manager } = await up();
    const signal = new AbortController().signal;
    const second = openEmbeddedWorld({ stateFolder: folder, signal, onTrouble: () => {} });
    await expect(second).rejects.toMatchObject({ code: 'AlreadyUp', details: { pid: manager.pid } });
    await connect();
  });

  test('a manager that no note knows keeps its processes', async () => {
    await up();
    await writeFile(join(folder, 'manager.json'), 'torn');
    await expect(stopEmbeddedWorld(folder, { takeDown: true })).rejects.toMatchObject({ code: 'AlreadyUp' });
  });
});

describe('where nothing runs', () => {
  test('whoever connects is told how to start it', async () => {
    await expect(connect()).rejects.toMatchObject({ code: 'NotUp', details: { stateFolder: folder } });
  });

  test('there is nothing to stop', async () => {
    const stopped = await stopEmbeddedWorld(folder, { takeDown: true });
    expect(stopped).toEqual({ manager: undefined, tookDown: false });
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });

  test('another process with the id of the manager is neither believed nor ended', async () => {
    const other = spawn('sleep', ['1000'], { stdio: 'ignore' });
    managers.push(other);
    const note = {
      pid: other.pid ?? 0,
      started: '1',
      boot: 'another',
      address: 'http://127.0.0.1:1',
      startedAt: '2026-01-01T00:00:00.000Z',
      version: '0.1.0',
    };
    await writeManagerNote(join(folder, 'manager.json'), note);
    await expect(connect()).rejects.toMatchObject({ code: 'NotUp', details: { pid: other.pid } });
    expect(await stopEmbeddedWorld(folder, { takeDown: false })).toMatchObject({ manager: undefined });
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  });

  test('a manager that does not answer is not waited for', async () => {
    const other = spawn('sleep', ['1000'], { stdio: 'ignore' });
    managers.push(other);
    await noted(other, 'http://127.0.0.1:1');
    const details = { pid: other.pid, address: 'http://127.0.0.1:1' };
    await expect(connect()).rejects.toMatchObject({ code: 'NotUp', details });
  });

  test('a manager that does not end is named, after the time that it was given', async () => {
    const script = 'trap "" TERM; echo ready; while :; do sleep 0.1; done';
    const other = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    managers.push(other);
    await once(other.stdout, 'data');
    await noted(other, 'http://127.0.0.1:1');
    const seen: StopProgress[] = [];
    const onProgress = (one: StopProgress) => void seen.push(one);
    const stopped = stopEmbeddedWorld(folder, { takeDown: true, timeoutSeconds: 1, onProgress });
    await expect(stopped).rejects.toMatchObject({ code: 'ManagerStays', details: { pid: other.pid } });
    expect(seen).toEqual([{ doing: 'waiting for the manager', pid: other.pid, waitedSeconds: 0 }]);
    await killed(other);
  });
});

/** Says of a process that it is the manager of the folder. */
async function noted(manager: ChildProcess, address: string): Promise<void> {
  const identity = identityOf(manager.pid ?? 0);
  if (!identity) throw new Error('it has ended already');
  await writeKubeconfig(join(folder, 'kubeconfig'), { server: address, token: 'none' });
  const startedAt = '2026-01-01T00:00:00.000Z';
  await writeManagerNote(join(folder, 'manager.json'), { ...identity, address, startedAt, version: '0.1.0' });
}
