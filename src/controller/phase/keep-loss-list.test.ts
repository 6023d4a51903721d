import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DataLoss } from '../../api/data-loss.ts';
import { apiVersion } from '../../api/group.ts';
import type { DataDriver } from '../../data/data.ts';
import { runAnnotation } from '../../phase/object/task-object.ts';
import { aPlanStep, dataStep } from '../../testing/a-plan-step.ts';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart } from '../../testing/scripted-ports.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject, PhaseObject } from '../our-objects.ts';
import { keepLossList } from './keep-loss-list.ts';

let acts: ActWorld;
beforeEach(async () => {
  acts = await ActWorld.open();
});
afterEach(() => acts.close());

const namespace = 'default';
const part = aPart([], { data: [{ name: 'keystone', driver: 'mariadb' }] });
const backup = { database: 'keystone', location: 'here', checksum: 'c', takenAt: '2026-01-01T00:00:00.000Z' };

function lossAt(milliseconds: number, says: string): DataLoss {
  const toldAt = new Date(milliseconds).toISOString();
  return { database: 'keystone', toldAt, known: true, tables: [{ table: 'user', says }] };
}

/** A pass over a list that is so many seconds old, in a flow with this status; what was written of it, and when it is looked at again. */
async function passOver(seconds: number, status: object, driver: Partial<DataDriver> = {}) {
  const now = acts.clock.wall();
  const flow = {
    metadata: { name: 'f1', namespace },
    spec: {
      planned: {
        step: aPlanStep('rollback', { data: [dataStep('restore')], to: { version: '1', revision: 1 } }),
      },
    },
    status,
  } as unknown as FlowObject;
  const revisions = [
    { spec: { number: 2, parts: [], backups: [{ ...backup, verifiedAt: backup.takenAt }], schemas: [] } },
    {
      spec: {
        ...{ number: 1, flow: 'install', backups: [], schemas: [] },
        parts: [{ component: 'keystone', manifests: ['m'], slices: [] }],
      },
    },
  ];
  const phase = {
    ...{ apiVersion, kind: 'PlanningPhase', metadata: { name: 'loss', namespace, uid: 'u' } },
    spec: {
      openstackServiceName: 'keystone',
      move: { oslc: 'f1', id: 'main/list-loss:old', task: 'list-loss', side: 'old', databases: ['keystone'] },
    },
    status: { finishedAt: backup.takenAt, losses: [lossAt(now - seconds * 1000, '3 inserted')] },
  } as unknown as PhaseObject;
  const written: PhaseObject[] = [];
  const tells: DataDriver = {
    run: async () => ({ state: 'done', reason: '', message: '', loss: lossAt(now, '4 inserted') }),
    ...driver,
  };
  const { cluster, clock, ports } = acts;
  const world = {
    ...{ cluster, clock, drivers: () => ports.drivers, traffic: () => ports.traffic, data: () => tells },
    ...{ prepareImages: ports.prepareImages, warmUp: ports.warmUp, answers: ports.answers },
    reconciling: { updateStatus: async (object: PhaseObject) => void written.push(object) },
    manifests: { of: async () => [part] },
    flows: { get: () => flow, by: () => [flow] },
    revisions: { by: () => revisions },
  } as unknown as EngineWorld;
  const again = await keepLossList(world, phase);
  return { again, losses: written.map(({ status: told }) => told?.losses) };
}

const asking = {
  oldSlices: [],
  newSlices: [],
  question: { question: 'restore', because: 'writes would be lost' },
};

it('what a restore would drop is listed anew as long as the question stands', async () => {
  const { losses } = await passOver(121, asking);
  expect(losses).toEqual([[lossAt(acts.clock.wall(), '4 inserted')]]);
});

it('a list that took a while, database after database, is as old as its oldest part', async () => {
  const now = acts.clock.wall();
  const text = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();
  const job = (name: string, made: number, due: number) => ({
    ...{ apiVersion: 'batch/v1', kind: 'Job' },
    metadata: { name, creationTimestamp: text(made), annotations: { [runAnnotation]: text(due) } },
  });
  const items = [job('first', 100, 300), job('second', 40, 300), job('of the list before', 290, 420)];
  const listing = { list: async () => ({ items }) };
  vi.spyOn(acts.cluster, 'as').mockReturnValue(listing as never);
  const asTold: Partial<DataDriver> = {
    run: async (_, run) => ({
      ...({ state: 'done', reason: '', message: '' } as const),
      loss: lossAt(Date.parse(run.now), '4 inserted'),
    }),
  };
  const { losses } = await passOver(300, asking, asTold);
  expect(losses).toEqual([[lossAt(now - 100_000, '4 inserted')]]);
});

it('a list that is young stays, and is looked at when it is old', async () => {
  expect(await passOver(20, asking)).toEqual({ again: { afterSeconds: 100 }, losses: [] });
});

it.each([
  ['another question', { ...asking, question: { question: 'rollback', because: '' } }],
  ['no question', { oldSlices: [], newSlices: [] }],
  ['an end', { ...asking, end: 'undone' }],
])('with %s it is left as it is', async (_, status) => {
  expect(await passOver(1000, status)).toEqual({ again: undefined, losses: [] });
});

it('what can no longer be told is at stake as a whole, and that is said', async () => {
  const gone = async () => ({ state: 'failed', reason: 'BackupUnknown', message: 'it went' }) as const;
  const { losses } = await passOver(1000, asking, { run: gone });
  expect(losses).toMatchObject([[{ known: false, tables: [], message: expect.stringContaining('it went') }]]);
});
