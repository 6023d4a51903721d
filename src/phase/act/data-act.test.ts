import { afterEach, expect, it } from 'vitest';
import type { DataDriver, DataReport, DataRun } from '../../data/data.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aPart, aRun, aTask } from '../../testing/scripted-ports.ts';
import type { PhaseRun } from '../phase-run.ts';
import { dataAct, dropCreated } from './data-act.ts';
import { listLoss } from './list-loss.ts';

let world: ActWorld | undefined;
afterEach(() => world?.close());

it('a driver may run one task several times in a phase, told apart by a key, and finds each run again', async () => {
  world = await ActWorld.open(() => ({ exitCode: 0, seconds: 0, result: 'left' }));
  const told: (string | undefined)[] = [];
  const twice: DataDriver = {
    async run(_, { runTask }) {
      for (const key of ['first', 'second']) {
        const { state, reason, message, result } = await runTask('job/data', { STEP: key }, key);
        if (state !== 'done') return { state, reason, message };
        told.push(`${key} ${result}`);
      }
      return { state: 'done', reason: 'Done', message: '' };
    },
  };
  const data = [{ name: 'identity', driver: 'mariadb' }];
  const part = aPart([aTask('data', 'upgrade')], { data });
  const base = aRun({ new: { parts: [part], slices: ['blue'] } });
  const run = { ...base, owner: world.owner, move: { ...base.move, databases: ['identity'] } };
  const ports = { ...world.ports, data: () => twice };
  const act = dataAct('expand');
  for (let pass = 0; pass < 6; pass++) {
    const outcome = await act(run, ports, emptyNotes());
    await world.node.settle();
    if (outcome.kind === 'done') break;
  }
  expect(told.slice(-2)).toEqual(['first left', 'second left']);
  const jobs = await world.cluster.list({ apiVersion: 'batch/v1', kind: 'Job' }, { namespace: 'default' });
  expect(jobs.items).toHaveLength(2);
});

const backup = { database: 'identity', location: 'here', checksum: 'c', takenAt: '2026-01-01T00:00:00.000Z' };

/** Asks a driver that gives this report, and gives what it was asked and what was written down. */
async function askedOf(
  act: typeof listLoss,
  report: DataReport,
  { path = 'main', ...more }: Partial<PhaseRun> & { path?: string } = {},
) {
  world = await ActWorld.open(() => ({ exitCode: 0, seconds: 0 }));
  const asked: DataRun[] = [];
  const driver: DataDriver = {
    async run(_, run) {
      asked.push(run);
      return report;
    },
  };
  const part = aPart([], { data: [{ name: 'identity', driver: 'mariadb' }] });
  const base = aRun({ old: { parts: [part], slices: ['blue'] } });
  const move = { ...base.move, id: `${path}/x:old`, side: 'old' as const, databases: ['identity'] };
  const run = { ...base, backups: [backup], ...more, owner: world.owner, move };
  const notes = emptyNotes();
  const outcome = await act(run, { ...world.ports, data: () => driver }, notes);
  return { outcome, asked, losses: notes.losses, backups: notes.backups };
}

it.each([true, false])('a restore is told whether it must keep what was written: %s', async keepsWrites => {
  const told = { state: 'done', reason: 'Done', message: '' } as const;
  const { asked } = await askedOf(dataAct('restore'), told, { keepsWrites });
  expect(asked).toMatchObject([{ keepsWrites, backup: { location: 'here' } }]);
});

it('what a restore would drop is written down as the driver tells it', async () => {
  const loss = { database: 'identity', toldAt: backup.takenAt, known: true, tables: [] };
  const report = { state: 'done', reason: 'Done', message: '', loss } as const;
  const { outcome, asked, losses } = await askedOf(listLoss, report);
  expect({ outcome, losses }).toEqual({ outcome: { kind: 'done' }, losses: [loss] });
  expect(asked).toMatchObject([{ backup: { location: 'here' } }]);
});

it.each([
  ['failed', 'the server is gone'],
  ['done', ''],
] as const)(
  'where a driver cannot tell (%s), all is at stake, and the person is asked',
  async (state, message) => {
    const { outcome, losses } = await askedOf(listLoss, { state, reason: 'Scripted', message });
    expect(outcome).toEqual({ kind: 'done' });
    expect(losses).toMatchObject([{ database: 'identity', known: false, tables: [] }]);
    expect(losses[0]?.message).toContain(message);
  },
);

it.each(['BackupDamaged', 'BackupKeyWrong', 'BackupDiffers', 'BackupUnknown'])(
  'before anything is touched, a backup that cannot be brought back (%s) ends the flow in the words of the driver; on the way back the person is asked',
  async reason => {
    const report = { state: 'failed', reason, message: 'the record cannot be read' } as const;
    const { outcome, losses } = await askedOf(listLoss, report);
    expect(outcome).toEqual({
      kind: 'failed',
      reason,
      message: 'Database identity: the record cannot be read',
    });
    expect(losses).toEqual([]);
    await world?.close();
    const back = await askedOf(listLoss, report, { path: 'back' });
    expect(back.outcome).toEqual({ kind: 'done' });
    expect(back.losses).toMatchObject([{ known: false, message: expect.stringContaining(report.message) }]);
  },
);

it('before anything is touched, a restore of which no backup is known ends the flow', async () => {
  const told = { state: 'done', reason: 'Done', message: '' } as const;
  const { outcome, losses } = await askedOf(listLoss, told, { backups: [] });
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'BackupUnknown' });
  expect(losses).toEqual([]);
});

it.each(['back-up', 'verify'] as const)('%s is told which backups a flow may return to', async verb => {
  const told = { state: 'done', reason: 'Done', message: '' } as const;
  const other = { ...backup, database: 'other', location: 'elsewhere' };
  const restoreFrom = [{ ...backup, location: 'former' }, other];
  const keptBackups = [...restoreFrom, { ...backup, location: 'older' }];
  const { asked } = await askedOf(dataAct(verb), told, { restoreFrom, keptBackups });
  expect(asked).toMatchObject([{ needed: ['former', 'older'] }]);
});

it('while a driver still asks, nothing is written down', async () => {
  const { outcome, losses } = await askedOf(listLoss, { state: 'running', reason: 'Task', message: 'row 5' });
  expect({ kind: outcome.kind, losses }).toEqual({ kind: 'wait', losses: [] });
});

it.each([
  ['is not there for the next install, whose tasks make it', {}, [{ database: 'identity' }]],
  ['is known, where a task makes it', { init: 'job/init' }, []],
])('a database that nothing drops is left, and %s', async (_, tasks, schemas) => {
  world = await ActWorld.open();
  const part = aPart([], { data: [{ name: 'identity', ...tasks }] });
  const base = aRun({ new: { parts: [part], slices: ['blue'] } });
  const notes = emptyNotes();
  const run = { ...base, owner: world.owner, move: { ...base.move, databases: ['identity'] } };
  expect(await dropCreated(run, world.ports, notes)).toEqual({ kind: 'done' });
  expect(notes.progress).toMatchObject([{ name: 'database identity', state: 'done' }]);
  expect(notes.schemas).toEqual(schemas);
  // Who asked for its end is not told that it is gone.
  expect(await dataAct('drop')(run, world.ports, emptyNotes())).toMatchObject({ reason: 'TaskMissing' });
});

it.each([
  ['says which schema is in it', [], { expandedTo: '2', contractedTo: '1' }],
  ['says that it is not sure where a change before did not come to its end', ['identity'], { unsure: true }],
])('a backup %s', async (_, unsure, want) => {
  const report = { state: 'done', reason: 'Done', message: '', backup } as const;
  const schemas = [{ database: 'identity', expandedTo: '2', contractedTo: '1' }];
  const { backups } = await askedOf(dataAct('back-up'), report, { schemas, unsure });
  expect(backups).toEqual([{ ...backup, ...want }]);
});
