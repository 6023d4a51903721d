import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { bundleManager } from '../testing/bundle-manager.ts';
import { imagesLabel } from './image/config-map-images.ts';
import type { Pod } from './pod/pod-shape.ts';
import { startRuntime } from './runtime.ts';
import { takeDownRuntime } from './take-down.ts';

const rounds = 8;
/** From its first word on a manager lives for one of these times, so that it dies in the middle of different things. */
const lifetimes = [60, 700, 150, 1200, 20, 400, 1000, 250];

let program: string;
beforeAll(async () => {
  const bundled = await bundleManager(join(import.meta.dirname, 'killed-manager-program.contract.ts'));
  ({ program } = bundled);
  return bundled.remove;
}, 60_000);

test('a manager killed at any instant: nothing is started twice, no exit code is lost, nothing is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-killed-'));
  await knowImages(folder);
  for (let round = 0; round < rounds; round++) await killedManager(folder, round);

  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const runtime = await startRuntime({ cluster, folder: join(folder, 'state'), signal: stop.signal });
  const pods = async () => (await cluster.list({ apiVersion: 'v1', kind: 'Pod' })).items as readonly Pod[];
  await vi.waitFor(async () => expect((await pods()).every(isAsWanted)).toBe(true), {
    timeout: 60_000,
    interval: 100,
  });
  const statuses = (await pods()).map(pod => [pod, pod.status?.containerStatuses?.[0]] as const);
  expect(statuses.filter(([, status]) => status?.restartCount !== 0).map(nameOf)).toEqual([]);
  const jobs = statuses.filter(([pod]) => pod.metadata.name.startsWith('job'));
  expect(jobs.filter(([, status]) => status?.state.terminated?.exitCode !== 3).map(nameOf)).toEqual([]);
  const begun = starts(folder).map(({ name }) => name);
  expect(begun.filter((name, index) => begun.indexOf(name) !== index)).toEqual([]);

  stop.abort();
  await runtime.ended;
  await cluster.close();
  await takeDownRuntime(join(folder, 'state'));
  expect(starts(folder).filter(({ pid }) => isOurs(pid, folder))).toEqual([]);
  await rm(folder, { recursive: true, force: true });
}, 180_000);

/** What is served runs, what is a job has failed, and nothing is on its way out. */
function isAsWanted({ metadata, status }: Pod): boolean {
  const wanted = metadata.name.startsWith('job') ? 'Failed' : 'Running';
  return metadata.deletionTimestamp === undefined && status?.phase === wanted;
}

function nameOf([pod]: readonly [Pod, ...unknown[]]): string {
  return pod.metadata.name;
}

async function knowImages(folder: string): Promise<void> {
  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  await cluster.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'images', namespace: 'default', labels: { [imagesLabel]: 'true' } },
    data: { all: '{"machine": {}}' },
  });
  await cluster.close();
}

/** Runs a manager until it has lived for its time. */
function killedManager(folder: string, round: number): Promise<void> {
  const words = [program, folder, String(round)];
  const manager = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  manager.once('message', () => setTimeout(() => manager.kill('SIGKILL'), lifetimes[round]));
  return new Promise(resolve => manager.once('exit', () => resolve()));
}

/** Every beginning of a program, as it wrote it down itself. */
function starts(folder: string): readonly { readonly name: string; readonly pid: number }[] {
  const lines = readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n');
  return lines.map(line => ({ name: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[1]) }));
}

/** Whether a process of this id is one that the Pods of this folder began. */
function isOurs(pid: number, folder: string): boolean {
  const file = `/proc/${pid}/environ`;
  return existsSync(file) && readFileSync(file, 'utf8').includes(folder);
}
