import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart, aRun, aTask, aWorkload, someSupport } from '../../testing/scripted-ports.ts';
import { sideObjects } from '../object/side-objects.ts';
import { sliceMark } from '../object/slices.ts';
import type { PartBundle, PhaseRun } from '../phase-run.ts';
import { listedTasks } from './listed-tasks.ts';
import { removeSoftware, removeWorkloads } from './remove-software.ts';
import { runBeforeMigration, runPhaseTasks, runRemovalTasks } from './run-phase-tasks.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const side = (part: PartBundle) => ({ parts: [part], slices: ['green'] });
const synced = { data: [{ name: 'd', migrate: { sync: 'job/sync' } }] };

it.each([
  ['runs in the install where a chart has it there', 'install', 'before', ['sync']],
  ['has a place of its own in an upgrade', 'upgrade', 'before', []],
  ['has a place of its own in the install of a package that only lists it', 'install', undefined, []],
] as const)('a whole migration %s', (_, phase, moment, want) => {
  const task = { ...aTask('sync', phase), ...(moment === undefined ? {} : { moment }) };
  const tasks = listedTasks(sideObjects(side(aPart([task], synced))), phase, 'before');
  expect(tasks.map(({ metadata }) => metadata.name)).toEqual(want);
});

it('the task that runs our own program for a database never runs by itself', () => {
  const own = { data: [{ name: 'd', driver: 'mariadb' as const }] };
  const objects = sideObjects(side(aPart([aTask('d-data', 'upgrade'), aTask('seed', 'upgrade')], own)));
  expect(listedTasks(objects, 'upgrade').map(({ metadata }) => metadata.name)).toEqual(['seed']);
});

it('a task finds what it needs, of its own version, and what is shared stays as it is', async () => {
  await world.ports.cluster.create({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { text: 'old' } },
    metadata: { name: 'shared', namespace: 'default' },
  });
  const part = aPart([
    aWorkload('Deployment', `api-${sliceMark}`),
    someSupport(`etc-${sliceMark}`, 'new'),
    someSupport('shared', 'new'),
    aTask('seed', 'upgrade'),
  ]);
  expect(await world.pass(runPhaseTasks('before'), aRun({ new: side(part) }))).toMatchObject({
    kind: 'wait',
  });
  expect(await world.find('ConfigMap', 'etc-green', 'v1')).toMatchObject({ data: { text: 'new' } });
  expect(await world.find('ConfigMap', 'shared', 'v1')).toMatchObject({ data: { text: 'old' } });
});

it('without a task nothing is written', async () => {
  const part = aPart([someSupport('etc', 'new')]);
  expect(await world.pass(runPhaseTasks('before'), aRun({ new: side(part) }))).toEqual({ kind: 'done' });
  expect(await world.find('ConfigMap', 'etc', 'v1')).toBeUndefined();
});

describe('what a package runs for its own end', () => {
  const traffic = { service: 'identity' };
  const part = aPart(
    [
      someSupport('etc', 'of it'),
      aWorkload('Deployment', `api-${sliceMark}`),
      aTask('clean', 'delete'),
      { ...aTask('sweep', 'delete'), moment: 'after' },
    ],
    { traffic },
  );
  const removal = (flow: 'uninstall' | 'upgrade'): PhaseRun =>
    aRun({
      ...{ phase: 'delete', step: aPlanStep(flow), old: { parts: [part], slices: ['green'] } },
      move: { oslc: 'flow', id: 'main/remove:old', task: 'remove', side: 'old' },
    });
  const jobs = async () =>
    (await world.cluster.list({ apiVersion: 'batch/v1', kind: 'Job' }, { namespace: 'default' })).items;
  const started = async () => (await jobs()).map(({ metadata }) => metadata.name.replace(/-[^-]*$/, ''));

  it('runs while its software is there, by whose names it finds it', async () => {
    expect(await world.carryOut(runRemovalTasks('before'), removal('uninstall'))).toEqual({ kind: 'done' });
    expect(await started()).toEqual(['clean']);
    const [job] = await jobs();
    expect(podOf(job)).toMatchObject({
      hostAliases: [{ ip: '10.0.0.9', hostnames: expect.arrayContaining(['identity']) }],
    });
  });

  it('or when that has gone, with what it needs still there', async () => {
    await world.create(prepared('Deployment', 'api-green'));
    await world.create(prepared('ConfigMap', 'etc'));
    const run = removal('uninstall');
    expect(await world.carryOut(removeWorkloads, run)).toEqual({ kind: 'done' });
    expect(await world.find('Deployment', 'api-green')).toBeUndefined();
    expect(await world.find('ConfigMap', 'etc', 'v1')).toBeDefined();
    expect(await world.carryOut(runRemovalTasks('after'), run)).toEqual({ kind: 'done' });
    expect(await started()).toEqual(['sweep']);
    expect(await world.carryOut(removeSoftware, run)).toEqual({ kind: 'done' });
    expect(await world.find('ConfigMap', 'etc', 'v1')).toBeUndefined();
  });

  it('does not run where a version gives way to another', async () => {
    for (const act of [runRemovalTasks('before'), removeWorkloads, runRemovalTasks('after')])
      expect(await world.pass(act, removal('upgrade'))).toEqual({ kind: 'done' });
    expect(await started()).toEqual([]);
  });

  const prepared = (kind: string, name: string) => {
    const found = sideObjects({ parts: [part], slices: ['green'] }).find(
      ({ object }) => object.kind === kind && object.metadata.name === name,
    );
    if (!found) throw new TypeError(`no ${kind} ${name}`);
    return found.object;
  };
});

describe('what the migration of a chart stands on', () => {
  const early = (name: string) => ({ ...aTask(name, 'upgrade'), moment: 'before' as const });
  const part = aPart([early('init'), early('sync'), early('seed')], synced);
  const runOf = (action: 'migrate' | 'keep') =>
    aRun({
      ...{ new: { parts: [part], slices: ['green'] } },
      step: { ...aPlanStep('upgrade'), data: [{ database: 'd', action, backup: false }] },
    });
  const ran = async () => {
    const { items } = await world.cluster.list({ apiVersion: 'batch/v1', kind: 'Job' });
    return items.map(({ metadata }) => metadata.name.replace(/-[^-]*$/, ''));
  };

  it('runs before it, and not again with the software', async () => {
    expect(await world.carryOut(runBeforeMigration, runOf('migrate'))).toEqual({ kind: 'done' });
    expect(await ran()).toEqual(['init']);
    expect(await world.carryOut(runPhaseTasks('before'), runOf('migrate'))).toEqual({ kind: 'done' });
    expect(await ran()).toEqual(['init', 'seed']);
  });

  it('runs with the software where the schema stays', async () => {
    expect(await world.carryOut(runPhaseTasks('before'), runOf('keep'))).toEqual({ kind: 'done' });
    expect(await ran()).toEqual(['init', 'seed']);
  });
});

describe('a task after the software', () => {
  const part = aPart([{ ...aTask('seed', 'upgrade'), moment: 'after' }], {
    traffic: { service: 'identity' },
  });
  const run = aRun({ new: { parts: [part], slices: ['green'] } });

  it('finds its own version by the names of the service', async () => {
    expect(await world.carryOut(runPhaseTasks('after'), run)).toEqual({ kind: 'done' });
    const { items } = await world.cluster.list({ apiVersion: 'batch/v1', kind: 'Job' });
    expect(podOf(items[0])).toMatchObject({
      hostAliases: [{ ip: '10.0.0.9' }],
      containers: [{ env: expect.arrayContaining([{ name: 'IDENTITY_SERVICE_HOST', value: '10.0.0.9' }]) }],
    });
  });

  it.each([
    ['waits for an address of that', 599, 'wait'],
    ['but begins without one rather than never', 600, 'done'],
  ])('%s', async (_, seconds, want) => {
    world.traffic.preview_ = undefined;
    const later = { ...run, now: run.startedAt + seconds * 1000 };
    await world.pass(runPhaseTasks('after'), later);
    expect(await world.pass(runPhaseTasks('after'), later)).toMatchObject({ kind: want });
  });
});

function podOf(object: StoredObject | undefined): unknown {
  return (object?.['spec'] as { template: { spec: unknown } } | undefined)?.template.spec;
}
