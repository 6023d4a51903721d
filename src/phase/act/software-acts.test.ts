import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterObject } from '../../cluster/cluster.ts';
import type { DataDriver } from '../../data/data.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import {
  anObject,
  aPart,
  aRun,
  aService,
  aTask,
  aWorkload,
  ScriptedTraffic,
  someSupport,
} from '../../testing/scripted-ports.ts';
import { sliceMark } from '../object/slices.ts';
import type { PartBundle, PhaseRun } from '../phase-run.ts';
import { applySoftware } from './apply-software.ts';
import { checkTarget } from './check-target.ts';
import { putSupport } from './put-support.ts';
import { removeSoftware } from './remove-software.ts';
import { repairDrift } from './repair-drift.ts';
import { settleSide } from './settle-side.ts';
import { stopSoftware } from './stop-software.ts';
import { suspendSchedules } from './suspend-schedules.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const packageTraffic = {
  ...{ service: 'api', drainSeconds: 5, settleSeconds: 1, cutsAtDeadline: false },
  ...{ weights: [10], stepSeconds: 1, maxErrorPercent: 5 },
};

const image = (name: string) => ({
  template: {
    metadata: { labels: { app: 'api' } },
    spec: { containers: [{ name: 'main', image: name }] },
  },
  selector: { matchLabels: { app: 'api' } },
});
const version = (name: string, objects: PartBundle['objects'] = []) =>
  aPart([aWorkload('Deployment', `api-${sliceMark}`, { ...image(name) }), ...objects]);
const side = (slice: string, part: PartBundle) => ({ parts: [part], slices: [slice] });
const install = (part: PartBundle, slice = 'blue') =>
  world.carryOut(applySoftware, aRun({ phase: 'install', new: side(slice, part) }));
const replicas = async (name: string, kind = 'Deployment') =>
  ((await world.find(kind, name))?.['spec'] as { replicas?: number } | undefined)?.replicas;
const imageOf = async (name: string) =>
  (
    (await world.find('Deployment', name))?.['spec'] as ReturnType<typeof image> | undefined
  )?.template.spec.containers.map(one => one.image);

describe('what serves clients', () => {
  const served = (slice: string) => {
    const part = version('x:2');
    const traffic = packageTraffic;
    return { ...side(slice, { ...part, lifecycle: { ...part.lifecycle, traffic } }) };
  };

  it('is neither changed nor removed, whatever a revision says', async () => {
    await install(version('x:1'), 'green');
    const before = await world.find('Deployment', 'api-green');
    const { ports } = world;
    const traffic = new ScriptedTraffic().knows('green', { weight: 100 });
    const run = aRun({ old: side('blue', version('x:1')), new: served('green') });
    for (const act of [applySoftware, removeSoftware])
      expect(await act(run, { ...ports, traffic }, emptyNotes())).toMatchObject({ reason: 'SliceServes' });
    expect(await world.find('Deployment', 'api-green')).toEqual(before);
  });
});

describe('a slice that clients would meet before its test', () => {
  const tested = aPart(
    [aWorkload('Deployment', `api-${sliceMark}`, { ...image('x:2') }), aTask('smoke', 'test')],
    {
      traffic: packageTraffic,
    },
  );
  const run = aRun({ old: side('blue', version('x:1')), new: side('green', tested) });
  beforeEach(() => {
    world.traffic.knows('blue', { weight: 100 });
    world.traffic.open.add('green');
  });

  it('is kept out before its pods are made', async () => {
    expect(await world.carryOut(applySoftware, run)).toEqual({ kind: 'done' });
    expect(world.traffic.asked).toEqual(['set api blue 100 green 0']);
    expect(await imageOf('api-green')).toEqual(['x:2']);
  });

  it('is not made where it cannot be kept out', async () => {
    world.traffic.canLeaveOut = false;
    const outcome = await world.pass(applySoftware, run);
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'SliceWouldServe' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('by bluegreen'));
    expect(await world.find('Deployment', 'api-green')).toBeUndefined();
  });

  it('has its address for the test from the beginning', async () => {
    await world.pass(applySoftware, run);
    expect([...world.traffic.previewed]).toEqual(['green']);
  });
});

describe('an object that somebody else made', () => {
  it('is not taken over', async () => {
    await world.ports.cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'site-settings', namespace: 'default' },
      data: { mine: 'yes' },
    });
    const part = version('x:1', [someSupport('site-settings', 'ours')]);
    await expect(install(part)).rejects.toMatchObject({ code: 'ObjectNotOurs' });
    expect(await world.find('ConfigMap', 'site-settings', 'v1')).toMatchObject({ data: { mine: 'yes' } });
  });
});

describe('software is applied', () => {
  it('beside what serves, which is not touched', async () => {
    await install(version('x:1'));
    const before = await world.find('Deployment', 'api-blue');
    const pods = await world.pods();
    const sides = { old: side('blue', version('x:1')), new: side('green', version('x:2')) };
    expect(await world.carryOut(applySoftware, aRun(sides))).toEqual({ kind: 'done' });
    expect(await world.find('Deployment', 'api-blue')).toEqual(before);
    expect(await world.pods()).toEqual(expect.arrayContaining(pods));
    expect(await imageOf('api-green')).toEqual(['x:2']);
  });

  it('in the place of what it replaces only when the last process of that is gone', async () => {
    await install(version('x:1'));
    const run = aRun({ old: side('blue', version('x:1')), new: side('blue', version('x:2')) });
    const first = await applySoftware(run, world.ports, emptyNotes());
    expect(first).toMatchObject({ kind: 'wait', reason: 'Stopping' });
    expect(await imageOf('api-blue')).toEqual(['x:1']);
    await world.node.settle();
    expect(await world.carryOut(applySoftware, run)).toEqual({ kind: 'done' });
    expect(await imageOf('api-blue')).toEqual(['x:2']);
    // The manifest says nothing of replicas: what was stopped runs again all the same.
    expect(await replicas('api-blue')).toBe(1);
    expect(await world.pods()).toHaveLength(1);
  });

  it('fails when it is not ready in its time, and says what it waited for', async () => {
    await world.close();
    world = await ActWorld.open(() => ({ serves: false }));
    const run = aRun({ phase: 'install', new: side('blue', version('x:1')) });
    const waits = await world.pass(applySoftware, run);
    expect(waits).toMatchObject({ kind: 'wait', reason: 'RollingOut' });
    const late = await world.pass(applySoftware, { ...run, now: run.startedAt + 601_000 });
    expect(late).toMatchObject({ kind: 'failed', reason: 'DeadlineExceeded' });
    expect(late).toHaveProperty('message', expect.stringContaining('Deployment api-blue'));
  });

  it('with its Service written by the router, which knows who is served', async () => {
    const part = aPart([aService('api')], { traffic: { service: 'api' } });
    await world.pass(applySoftware, aRun({ phase: 'install', new: side('blue', part) }));
    expect(world.traffic.asked).toEqual(['ensure api']);
  });
});

describe('software is stopped', () => {
  it.each([
    ['Deployment', {}, 1],
    ['Deployment', { replicas: 3 }, 3],
    ['StatefulSet', { replicas: 2 }, 2],
    ['DaemonSet', {}, undefined],
  ])(
    'a %s with %o leaves no process and stays, and runs again when it is applied again',
    async (kind, more, want) => {
      const part = aPart([aWorkload(kind, 'api', { ...image('x:1'), ...more })]);
      const sides = { old: side('blue', part), new: side('blue', part) };
      await install(part);
      const pods = (await world.pods()).length;
      expect(pods).toBeGreaterThan(0);
      expect(await world.carryOut(stopSoftware('old'), aRun(sides))).toEqual({ kind: 'done' });
      expect(await world.pods()).toEqual([]);
      expect(await world.find(kind, 'api')).toBeDefined();
      expect(await world.carryOut(applySoftware, aRun(sides))).toEqual({ kind: 'done' });
      expect(await world.pods()).toHaveLength(pods);
      expect(await replicas('api', kind)).toBe(want);
    },
  );

  it('and a pod that has ended is not waited for', async () => {
    const part = version('x:1');
    await install(part);
    const [name = ''] = await world.pods();
    const pod = await world.cluster.get({ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name });
    const ended = { ...pod.metadata, name: 'evicted', ownerReferences: [] };
    const { uid: _uid, resourceVersion: _version, ...metadata } = ended;
    const made = await world.cluster.create({ ...pod, metadata, status: undefined } as never);
    await world.cluster.updateStatus({ ...made, status: { phase: 'Failed' } });
    const run = aRun({ old: side('blue', part) });
    await stopSoftware('old')(run, world.ports, emptyNotes());
    await world.node.settle();
    expect(await stopSoftware('old')(run, world.ports, emptyNotes())).toEqual({ kind: 'done' });
  });
});

describe('software is removed', () => {
  const foreign = {
    ...anObject('ConfigMap', 'theirs', undefined, 'v1'),
    metadata: { name: 'theirs', namespace: 'default' },
  };
  const old = () =>
    version('x:1', [
      someSupport('shared', 'a'),
      someSupport('only-old', 'a'),
      someSupport('keys', 'a', 'kept'),
      { ...someSupport('theirs', 'a'), object: { ...foreign, data: {} } } as never,
    ]);

  it('but for what the other side has, what somebody else writes and what is not ours', async () => {
    await world.create(foreign as ClusterObject);
    const sides = {
      old: side('blue', old()),
      new: side('green', version('x:2', [someSupport('shared', 'b')])),
    };
    await install(
      version('x:1', [
        someSupport('shared', 'a'),
        someSupport('only-old', 'a'),
        someSupport('keys', 'a', 'kept'),
      ]),
    );
    await world.carryOut(applySoftware, aRun(sides));
    const move = { oslc: 'flow', id: 'main/remove:old', task: 'remove', side: 'old' } as const;
    expect(await world.carryOut(removeSoftware, aRun({ ...sides, move }))).toEqual({ kind: 'done' });
    const left = await Promise.all(
      ['shared', 'only-old', 'keys', 'theirs'].map(name => world.find('ConfigMap', name, 'v1')),
    );
    expect(left.map(one => one !== undefined)).toEqual([true, false, true, true]);
    expect(await world.find('Deployment', 'api-blue')).toBeUndefined();
    expect(await world.find('Deployment', 'api-green')).toBeDefined();
  });
});

describe('what keeps a service in order', () => {
  const cron = (more: object = {}) => ({
    ...aTask('clean', 'operational'),
    role: 'workload' as const,
    object: anObject(
      'CronJob',
      'clean',
      { schedule: '0 3 * * *', jobTemplate: { spec: aTask('clean', 'test').object['spec'] }, ...more },
      'batch/v1',
    ) as never,
  });
  const suspended = async () =>
    ((await world.find('CronJob', 'clean', 'batch/v1'))?.['spec'] as { suspend?: boolean } | undefined)
      ?.suspend;
  const runOf = (more: object = {}, overrides: Partial<PhaseRun> = {}) =>
    aRun({ new: side('blue', aPart([cron(more)])), phase: 'operational', ...overrides });

  it.each([
    ['rest while traffic is moved and go on when it is settled', {}, false],
    ['stay suspended where their package suspends them', { suspend: true }, true],
  ])('cron jobs %s', async (_, more, want) => {
    await world.carryOut(settleSide, runOf(more));
    await world.carryOut(suspendSchedules, runOf(more));
    expect(await suspended()).toBe(true);
    await world.carryOut(settleSide, runOf(more));
    expect(await suspended()).toBe(want);
  });

  it.each([
    ['recreate', false],
    ['bluegreen', true],
  ] as const)('settling a %s change leaves of the version before: %s', async (strategy, stays) => {
    await install(version('x:1'));
    const step = aPlanStep('upgrade', { strategy });
    const sides = { old: side('blue', version('x:1')), new: side('green', version('x:2')) };
    expect(await world.carryOut(settleSide, runOf({}, { ...sides, step }))).toEqual({ kind: 'done' });
    expect((await world.find('Deployment', 'api-blue')) !== undefined).toBe(stays);
  });

  it('what somebody else changed is as the revision says again, and only that is told', async () => {
    const part = version('x:1', [someSupport('config', 'a'), someSupport('keys', 'a', 'kept')]);
    await install(part);
    const run = aRun({ new: side('blue', part) });
    expect(await repairDrift(run, world.ports)).toEqual([]);
    for (const name of ['config', 'keys'])
      await world.cluster.patch(
        { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name },
        { type: 'merge', value: { data: { text: 'changed' } } },
      );
    await world.cluster.delete({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'api-blue',
    });
    expect((await repairDrift(run, world.ports)).toSorted()).toEqual([
      'ConfigMap config',
      'Deployment api-blue',
    ]);
    expect((await world.find('ConfigMap', 'keys', 'v1'))?.['data']).toEqual({ text: 'changed' });
  });
});

describe('a check', () => {
  const part = aPart([someSupport('config', 'new'), someSupport('used', 'new'), aTask('check', 'planning')]);

  it.each([
    ['passes', 0, 'done'],
    ['fails', 1, 'failed'],
  ])('that %s takes back what it lent, and leaves alone what was there', async (_, exitCode, kind) => {
    await world.close();
    world = await ActWorld.open(() => ({ exitCode, seconds: 0 }));
    const used = someSupport('used', 'old').object as never as ClusterObject;
    await world.create(used);
    const run = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    const first = await checkTarget(run, world.ports, emptyNotes());
    expect(first).toMatchObject({ kind: 'wait', reason: 'TaskRunning' });
    expect(await world.find('ConfigMap', 'config', 'v1')).toBeDefined();
    await world.node.settle();
    expect(await world.pass(checkTarget, run)).toMatchObject({ kind });
    expect(await world.find('ConfigMap', 'config', 'v1')).toBeUndefined();
    expect((await world.find('ConfigMap', 'used', 'v1'))?.['data']).toEqual({ text: 'old' });
  });

  /** A claim of a package, and a check that mounts it. */
  const claim = (name: string, more: object = {}) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const metadata = { name, namespace: 'default', ...more };
    const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec };
    return { ...someSupport(name, '', 'kept'), object } as never as ReturnType<typeof someSupport>;
  };
  const mounting = (claimName: string) => {
    const task = aTask('check', 'planning');
    const volumes = [{ name: 'room', persistentVolumeClaim: { claimName } }];
    const pod = (task.object['spec'] as { template: { spec: object } }).template.spec;
    Object.assign(pod, { volumes });
    return task;
  };

  it('claims no volume that none of its tasks mounts: who gets it back gives it to nobody again', async () => {
    const part = aPart([claim('mounted'), claim('backups'), mounting('mounted')]);
    const run = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    await checkTarget(run, world.ports, emptyNotes());
    expect(await world.find('PersistentVolumeClaim', 'mounted', 'v1')).toBeDefined();
    expect(await world.find('PersistentVolumeClaim', 'backups', 'v1')).toBeUndefined();
  });

  it.each([
    ['passes', 0, 'done'],
    ['fails', 1, 'failed'],
  ])('that mounts a claim which is there and %s leaves it as it is', async (_, exitCode, kind) => {
    await world.close();
    world = await ActWorld.open(() => ({ exitCode, seconds: 0 }));
    await world.create(claim('mounted').object as never as ClusterObject);
    const said = async () => {
      const found = await world.find('PersistentVolumeClaim', 'mounted', 'v1');
      const { uid, labels, ownerReferences, deletionTimestamp } = found?.metadata ?? {};
      return { uid, labels, ownerReferences, deletionTimestamp };
    };
    const serving = await said();
    expect(serving.uid).toBeDefined();
    const part = aPart([claim('mounted'), mounting('mounted')]);
    const run = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    await checkTarget(run, world.ports, emptyNotes());
    await world.node.settle();
    expect(await world.pass(checkTarget, run)).toMatchObject({ kind });
    expect(await said()).toEqual(serving);
  });

  it('that took back a claim is waited for until that is gone: software that counts on it would be left without', async () => {
    const held = claim('mounted', { finalizers: ['example.org/in-use'] });
    const part = aPart([held, mounting('mounted')]);
    const run = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    await checkTarget(run, world.ports, emptyNotes());
    await world.node.settle();
    expect(await world.pass(checkTarget, run)).toMatchObject({ kind: 'done' });
    const going = await world.find('PersistentVolumeClaim', 'mounted', 'v1');
    expect(going?.metadata.deletionTimestamp).toBeDefined();
    expect(await world.pass(putSupport('missing'), run)).toMatchObject({
      kind: 'wait',
      reason: 'ObjectGoes',
    });
    const ref = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'mounted' };
    await world.cluster.patch(ref, { type: 'merge', value: { metadata: { finalizers: null } } });
    expect(await world.pass(putSupport('missing'), run)).toMatchObject({ kind: 'done' });
    const made = await world.find('PersistentVolumeClaim', 'mounted', 'v1');
    expect(made?.metadata.uid).not.toBe(going?.metadata.uid);
    expect(made?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('of a step that takes a backup asks for room first, and takes back what it lent where there is none', async () => {
    const database = { name: 'identity', driver: 'mariadb' };
    const part = aPart([someSupport('config', 'new')], { data: [database] });
    const asked: string[] = [];
    const driver: DataDriver = {
      async run(verb) {
        asked.push(verb);
        return { state: 'failed', reason: 'NoRoom', message: 'the disk is full' };
      },
    };
    const base = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    const data = [{ database: 'identity', action: 'expand' as const, backup: true }];
    const run = { ...base, step: { ...base.step, data } };
    const outcome = await checkTarget(run, { ...world.ports, data: () => driver }, emptyNotes());
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'NoRoom' });
    expect(asked).toEqual(['estimate']);
    expect(await world.find('ConfigMap', 'config', 'v1')).toBeUndefined();
  });

  it('is told which databases are going to be restored, and are not to be judged', async () => {
    const base = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    const data = [{ database: 'identity', action: 'restore' as const, backup: true }];
    await checkTarget({ ...base, step: { ...base.step, data } }, world.ports, emptyNotes());
    const { items } = await world.cluster.list(
      { apiVersion: 'batch/v1', kind: 'Job' },
      { namespace: 'default' },
    );
    expect(JSON.stringify(items)).toContain('{"name":"AFLOAT_RESTORES","value":"identity"}');
  });

  it('use the config of the target, beside a version that is kept in the slice the target will have', async () => {
    const config = someSupport(`config-${sliceMark}`, 'new');
    const part = version('x:2', [config, aTask('ready', 'planning')]);
    await world.create(someSupport('config-blue', 'old').object as never as ClusterObject);
    const run = aRun({ name: 'check', owner: world.owner, new: side('blue', part), phase: 'planning' });
    await checkTarget(run, world.ports, emptyNotes());
    expect((await world.find('ConfigMap', 'config-check', 'v1'))?.['data']).toEqual({ text: 'new' });
    await world.node.settle();
    expect(await world.pass(checkTarget, run)).toMatchObject({ kind: 'done' });
    expect(await world.find('ConfigMap', 'config-check', 'v1')).toBeUndefined();
    expect((await world.find('ConfigMap', 'config-blue', 'v1'))?.['data']).toEqual({ text: 'old' });
  });
});
