import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { phaseLabel } from '../../api/labels.ts';
import type { OperationalStatus } from '../../api/phase-kinds.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { tasksData } from '../../data/tasks/tasks-data.ts';
import { openDrivers } from '../../driver/open-drivers.ts';
import type { PhasePorts, PhaseRun } from '../../phase/phase-run.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { Script } from '../../testing/node-script.ts';
import { ScriptedNode } from '../../testing/scripted-node.ts';
import type { PhaseObject } from '../our-objects.ts';
import { keepSchedules } from './keep-schedules.ts';

const namespace = 'default';
const phaseType = { apiVersion, kind: 'OperationalPhase' };
const minute = 60_000;

let folder: StoreFolder;
let clock: FakeClock;
let cluster: EmbeddedCluster;
let fails: (task: string) => boolean;
let node: ScriptedNode;
let reconciling: Reconciling;

/** A backup says where it is; everything else just ends. */
const script: Script = ({ owner }) => {
  const name = owner?.name ?? '';
  if (fails(name)) return { exitCode: 1, seconds: 0 };
  const result = JSON.stringify({ location: 'here', checksum: 'sha256:1' });
  return { exitCode: 0, seconds: 0, ...(name.startsWith('backup') ? { result } : {}) };
};

beforeEach(async () => {
  folder = new StoreFolder();
  clock = new FakeClock();
  cluster = await folder.open({ clock });
  fails = () => false;
  node = new ScriptedNode(cluster, { clock, outcome: script });
  reconciling = new Reconciling(cluster, { signal: new AbortController().signal, clock });
  const phase = await cluster.create({
    ...phaseType,
    metadata: { name: 'settle', namespace },
    spec: { openstackServiceName: 'identity', source: { type: 'plan', location: 'p' } },
  });
  const finishedAt = new Date(clock.wall()).toISOString();
  await cluster.updateStatus({ ...phase, status: { actualState: 'deployed', finishedAt } });
});
afterEach(() => folder[Symbol.asyncDispose]());

const job = (name: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'afloat' } },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x:1' }] } } },
});

/** A run of the phase of a package with this schedule. */
function runOf(object: PhaseObject, schedule: Readonly<Record<string, string>>): PhaseRun {
  const task = (name: string, phase: string) => ({
    object: job(name),
    role: 'task',
    phases: [phase],
    file: '',
  });
  const part = {
    ...{
      service: 'identity',
      component: 'identity',
      version: '1',
      packageDigest: '',
      images: [],
      inventory: [],
    },
    lifecycle: {
      ...{ components: [], preflight: [], pre: [], post: [], schedule },
      data: [{ name: 'identity', driver: 'tasks', backup: 'job/backup', verify: 'job/verify' }],
    },
    objects: [task('test', 'test'), task('backup', 'upgrade'), task('verify', 'upgrade')],
  };
  const { name, uid } = object.metadata;
  return {
    ...{ name, namespace, service: 'identity', oslc: 'flow', phase: 'operational' },
    owner: { ...phaseType, name, uid, controller: true },
    move: { oslc: 'flow', id: 'main/settle:new', task: 'settle', side: 'new' },
    step: { data: [], slices: 1 },
    ...{ old: { parts: [], slices: [] }, new: { parts: [part], slices: ['blue'] } },
    ...{
      now: clock.wall(),
      startedAt: 0,
      traffic: undefined,
      schemas: [],
      backups: [],
      restoreFrom: [],
      keptBackups: [],
    },
    ...{ soakUntil: undefined, endSoak: false, cutsAtMost: 0, aborted: false },
  } as unknown as PhaseRun;
}

async function keeper(): Promise<PhaseObject & { readonly status: OperationalStatus }> {
  return (await cluster.get({ ...phaseType, namespace, name: 'settle' })) as never;
}

/** One pass, and everything it started comes to its end. */
async function pass(schedule: Readonly<Record<string, string>>): Promise<number> {
  const object = await keeper();
  const ports = {
    cluster,
    drivers: openDrivers({ cluster, logs: node.logs }),
    data: () => tasksData,
    prepareImages: async () => [],
  } as unknown as PhasePorts;
  const seconds = await keepSchedules({ reconciling, clock }, object, runOf(object, schedule), ports);
  await node.settle();
  return seconds;
}

async function passes(schedule: Readonly<Record<string, string>>, times = 5): Promise<void> {
  for (let count = 0; count < times; count++) await pass(schedule);
}

async function jobs(task: string): Promise<string[]> {
  const selector = { namespace, labelSelector: `${phaseLabel}=settle` };
  const { items } = await cluster.list({ apiVersion: 'batch/v1', kind: 'Job' }, selector);
  return items.map(({ metadata }) => metadata.name).filter(name => name.startsWith(`${task}-`));
}

const healthy = ({ status }: { readonly status: OperationalStatus }) =>
  status.conditions?.find(({ type }) => type === 'Healthy');

async function events(): Promise<string[]> {
  const { items } = await cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace });
  return items.filter(event => event['reportingComponent'] === 'afloat').map(event => `${event['reason']}`);
}

describe('what a package wants repeated', () => {
  it('is not begun before it is due, and the next look is when it is', async () => {
    await clock.advance(30_000);
    expect(await pass({ test: '*/5 * * * *' })).toBe(270);
    expect(await jobs('test')).toEqual([]);
    expect(healthy(await keeper())).toBeUndefined();
  });

  it('runs once for each moment it is due, however often one looks', async () => {
    for (const times of [1, 2]) {
      await clock.advance(5 * minute);
      await passes({ test: '*/5 * * * *' });
      expect(await jobs('test')).toHaveLength(times);
    }
    const { status } = await keeper();
    expect(status.scheduled).toEqual([
      { what: 'test', dueAt: '2026-01-01T00:10:00.000Z', state: 'done', message: 'The test passed.' },
    ]);
    expect(await events()).toEqual(['ScheduledTestDone', 'ScheduledTestDone']);
  });

  it('is not run again for a moment whose Job somebody took away', async () => {
    await clock.advance(5 * minute);
    await passes({ test: '*/5 * * * *' });
    const [name = ''] = await jobs('test');
    const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace, name };
    await cluster.delete(ref, { propagation: 'Background' });
    await passes({ test: '*/5 * * * *' });
    expect(await jobs('test')).toEqual([]);
  });

  it('is run once, for the last moment, after a time without a manager', async () => {
    await clock.advance(60 * minute);
    await passes({ test: '*/5 * * * *' });
    expect((await keeper()).status.scheduled?.[0]?.dueAt).toBe('2026-01-01T01:00:00.000Z');
    expect(await jobs('test')).toHaveLength(1);
  });

  it('keeps the last three Jobs', async () => {
    for (let times = 0; times < 5; times++) {
      await clock.advance(5 * minute);
      await passes({ test: '*/5 * * * *' }, 4);
    }
    expect(await jobs('test')).toHaveLength(3);
  });

  it('says on the phase when the service went bad by itself, and when it is well again', async () => {
    fails = name => name.startsWith('test');
    await clock.advance(5 * minute);
    await passes({ test: '*/5 * * * *' });
    expect(healthy(await keeper())).toMatchObject({ status: 'False', reason: 'TestFailed' });
    expect(healthy(await keeper())?.message).toMatch(/^Job test failed: /);
    fails = () => false;
    await clock.advance(5 * minute);
    await passes({ test: '*/5 * * * *' });
    expect(healthy(await keeper())).toMatchObject({ status: 'True' });
    expect((await events()).sort()).toEqual(['ScheduledTestDone', 'ScheduledTestFailed']);
  });

  it('takes a backup and proves it; one that cannot be proved is told', async () => {
    await clock.advance(5 * minute);
    await passes({ backup: '*/5 * * * *' });
    expect(await jobs('verify')).toHaveLength(1);
    expect((await keeper()).status.scheduled?.[0]).toMatchObject({
      what: 'backup',
      message: 'Backed up to here.',
    });
    fails = name => name.startsWith('verify');
    await clock.advance(5 * minute);
    await passes({ backup: '*/5 * * * *' });
    expect(healthy(await keeper())).toMatchObject({ status: 'False', reason: 'BackupFailed' });
  });

  it('says so where the schedule cannot be read, and runs nothing', async () => {
    await clock.advance(5 * minute);
    await passes({ test: 'every day' });
    expect(healthy(await keeper())?.message).toContain('`schedule.test` of the package is no schedule');
    expect(await jobs('test')).toEqual([]);
  });
});
