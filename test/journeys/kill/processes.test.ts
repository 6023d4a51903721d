/**
 * A manager in a process of its own kills itself whenever a move of a flow changes its state, with clients at work: in an upgrade that
 * succeeds, and in one that fails its test and is rolled back. Nothing is done twice, no request fails, no write is lost, nothing is left.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientLoad, startLoad } from '../../../scripts/start/client-load.ts';
import { type ConnectedWorld, connectWorld } from '../../../src/app/connect-world.ts';
import { stateFiles } from '../../../src/app/state-folder.ts';
import type { ObjectType } from '../../../src/cluster/cluster.ts';
import { isReason } from '../../../src/cluster/cluster-error.ts';
import {
  type FlowObject,
  flowType,
  type RevisionObject,
  recordType,
  revisionType,
} from '../../../src/controller/our-objects.ts';
import { pushPackages } from '../../../src/controller/store/push-packages.ts';
import { packageDigest } from '../../../src/package/package-digest.ts';
import { openSource } from '../../../src/package/source/open-source.ts';
import { takeDownRuntime } from '../../../src/runtime/take-down.ts';
import { type BundledManager, bundleManager } from '../../../src/testing/bundle-manager.ts';
import { type PackageWish, writePackage } from '../engine/a-package.ts';
import { DataFolder } from '../engine/data-folder.ts';
import { processesWith } from '../runtime/our-processes.ts';
import { ManagedOperator } from './managed-operator.ts';

const namespace = 'journey';
const service = 'ledger';
const minutes = 60_000;

const packages: Readonly<Record<string, PackageWish>> = {
  '1.0.0': { data: 'expand' },
  '2.0.0': { data: 'expand' },
  '2.0.1': { data: 'keep', head: '2', faults: ['test'] },
};

const folder = mkdtempSync(join(tmpdir(), 'afloat-kill-'));
const stateFolder = join(folder, 'state');
const data = new DataFolder(join(folder, 'data'));
let operator: ManagedOperator;
let world: ConnectedWorld;
let load: ClientLoad;
let bundled: BundledManager | undefined;

beforeAll(async () => {
  bundled = await bundleManager(join(import.meta.dirname, 'operator-program.ts'));
  operator = new ManagedOperator(bundled.program, stateFolder);
  mkdirSync(data.folder);
  for (const [version, wish] of Object.entries(packages))
    writePackage(join(folder, 'packages', service, version), { name: service, version }, wish);
  await operator.start();
  world = await connectWorld({ stateFolder });
  await world.ensureNamespace(namespace);
  const source = openSource(folder);
  const pushed = [];
  for (const version of Object.keys(packages)) {
    const from = { type: 'local' as const, location: `packages/${service}/${version}` };
    const read = await source.read(from);
    if (!read.ok) throw new TypeError(JSON.stringify(read.findings));
    pushed.push({ source: from, files: read.files, digest: packageDigest(read.files) });
  }
  await pushPackages(world.cluster, namespace, pushed);
  await wish('1.0.0');
  await untilEnd(1, 'operational');
  const rate = { clients: 4, perSecond: 30, limitMs: 20_000, mostUsers: 300 };
  load = startLoad({ ...(await addressOf()), ...rate });
}, 3 * minutes);

afterAll(async () => {
  await load?.stop();
  await world?.close();
  await operator?.kill();
  await takeDownRuntime(stateFiles(stateFolder).runtime);
  bundled?.remove();
  rmSync(folder, { recursive: true, force: true });
}, minutes);

async function wish(version: string): Promise<void> {
  const value = {
    ...recordType,
    metadata: { name: 'cloud', namespace },
    spec: {
      ...{ source: { type: 'local', location: 'packages/{name}/{version}' }, shared: { data: data.folder } },
      ...{ approval: 'automatic', soakSeconds: 2, services: [{ name: service, version }] },
    },
  };
  const ref = { ...recordType, namespace, name: 'cloud' };
  await ask(() => world.cluster.patch(ref, { type: 'apply', fieldManager: 'person', force: true, value }));
}

/** Asks again while the manager is away. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + minutes;
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!isReason(error, 'Unreachable', 'Unauthorized') || performance.now() > giveUpAt) throw error;
      await pause(50); // it is being started again, and has not written its new key down yet
    }
  }
}

const list = async <T>(type: ObjectType): Promise<readonly T[]> =>
  ask(async () => (await world.cluster.list(type, { namespace })).items as unknown as T[]);

/** Waits until there are so many flows and the newest has ended, and so it was meant to. */
async function untilEnd(count: number, wanted: string): Promise<FlowObject> {
  const giveUpAt = performance.now() + 10 * minutes; // every life of a manager begins with a start, which a busy machine takes seconds for
  for (;;) {
    const flows = await list<FlowObject>(flowType);
    const newest = flows
      .toSorted((a, b) => ((a.status?.startedAt ?? '9') < (b.status?.startedAt ?? '9') ? -1 : 1))
      .at(-1);
    if (flows.length === count && newest?.status?.end !== undefined) {
      expect(newest.status.end, newest.status.because).toBe(wanted);
      return newest;
    }
    if (performance.now() > giveUpAt)
      throw new TypeError(
        `no end: ${JSON.stringify(flows.map(({ status }) => status))} ${operator.said.slice(-3000)}`,
      );
    await pause(100);
  }
}

/** Where clients go. */
async function addressOf(): Promise<{ readonly address: string; readonly port: number }> {
  const ref = { apiVersion: 'v1', kind: 'Service', namespace, name: service };
  const { spec } = (await ask(() => world.cluster.get(ref))) as unknown as {
    spec: { clusterIP: string; ports: { port: number }[] };
  };
  return { address: spec.clusterIP, port: spec.ports[0]?.port ?? 0 };
}

/** Who answers clients. */
async function serving(): Promise<string> {
  const { address, port } = await addressOf();
  const answer = await fetch(`http://${address}:${port}/version`, { headers: { connection: 'close' } });
  return ((await answer.json()) as { version: string }).version;
}

/** How each move of a flow ended, as the manager notes where it killed itself. */
const lastStates = ({ metadata, status }: FlowObject) =>
  (status?.moves ?? []).map(({ id, state }) => `${metadata.name} ${id} ${state}`);

/** What tasks began since a line of the ledger. */
const begunSince = (line: number) =>
  data
    .ledger(service)
    .slice(line)
    .filter(one => one.endsWith(' began'))
    .map(one => one.slice(0, -' began'.length));

const nothingFailed = async () => {
  expect(load.counts().failed, load.lastFailure).toBe(0);
  expect((await load.checkWrites()).lost).toEqual([]);
};

test('an upgrade comes to its end although the manager is killed at every change of a move', {
  timeout: 12 * minutes,
}, async () => {
  const before = data.ledger(service).length;
  operator.arm();
  await wish('2.0.0');
  const flow = await untilEnd(2, 'operational');
  const killedAt = await operator.disarm();
  const moves = (flow.status?.moves ?? []).map(({ id, state }) => `${id} ${state}`);
  expect(moves).toEqual(
    [
      'check',
      'back-up',
      'verify-backup',
      'expand',
      'apply',
      'test',
      'give-traffic',
      'take-traffic',
      'move-rows',
      'settle',
      'soak',
      'remove',
    ].map(task => `main/${task}:${task === 'take-traffic' || task === 'remove' ? 'old' : 'new'} done`),
  );
  expect(begunSince(before)).toEqual(
    ['preflight', 'state', 'backup', 'verify', 'expand', 'test', 'migrate'].map(task => `2.0.0 ${task}`),
  );
  expect(await serving()).toBe('2.0.0');
  expect((await list<RevisionObject>(revisionType)).map(({ spec }) => spec.number).sort()).toEqual([1, 2]);
  expect(killedAt).toEqual(expect.arrayContaining(lastStates(flow)));
  expect(operator.kills).toBeGreaterThanOrEqual(moves.length / 2); // one write may tell of two moves
  process.stdout.write(`${operator.kills} kills in an upgrade, ${load.counts().requests} requests\n`);
  await nothingFailed();
});

test('an upgrade whose test fails is rolled back although the manager is killed at every change of a move', {
  timeout: 12 * minutes,
}, async () => {
  const before = data.ledger(service).length;
  const kills = operator.kills;
  operator.arm();
  await wish('2.0.1');
  const flow = await untilEnd(3, 'rolledback');
  const killedAt = await operator.disarm();
  expect(begunSince(before).toSorted()).toEqual([
    '2.0.0 test',
    '2.0.1 preflight',
    '2.0.1 state',
    '2.0.1 test',
  ]);
  expect(await serving()).toBe('2.0.0');
  expect((await list<RevisionObject>(revisionType)).map(({ spec }) => spec.number).sort()).toEqual([1, 2]);
  expect(await list({ apiVersion: 'apps/v1', kind: 'Deployment' })).toHaveLength(1);
  expect(killedAt).toEqual(expect.arrayContaining(lastStates(flow)));
  expect(operator.kills - kills).toBeGreaterThanOrEqual(lastStates(flow).length / 2);
  process.stdout.write(`${operator.kills - kills} kills in a rollback\n`);
  await nothingFailed();
});

test('leaves no process when it is taken down', { timeout: minutes }, async () => {
  await nothingFailed();
  await load.stop();
  await operator.stop();
  await takeDownRuntime(stateFiles(stateFolder).runtime);
  expect(processesWith(folder)).toEqual([]);
});
