import { afterEach, beforeEach, expect, it } from 'vitest';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart, aRun, aTask, aWorkload, someSupport } from '../../testing/scripted-ports.ts';
import { sideObjects } from '../object/side-objects.ts';
import { sliceMark } from '../object/slices.ts';
import type { PartBundle } from '../phase-run.ts';
import { listedTasks, runPhaseTasks } from './run-phase-tasks.ts';

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
