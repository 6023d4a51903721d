import { describe, expect, it } from 'vitest';
import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import { type DataWorld, dataContract, type WorkEnd } from '../data.contract.ts';
import type { DataRun, DataVerb, TaskEnd } from '../data.ts';
import { tasksData } from './tasks-data.ts';

const database: LifecycleDatabase = {
  ...{
    name: 'identity',
    driver: 'tasks' as const,
    goesOnUncontracted: false,
    init: 'job/init',
    backup: 'job/backup',
  },
  ...{ verify: 'job/verify', restore: 'job/restore', loss: 'job/loss', drop: 'job/drop' },
};
const split = { expand: 'job/expand', migrate: 'job/rows', contract: 'job/contract' };
const now = '2026-01-01T00:00:00.000Z';

/** Tasks whose end a test says; a name and variables stand for one run. */
function openWorld(): DataWorld & { readonly asked: [string, object][] } {
  let end: WorkEnd = { state: 'done' };
  const runs = new Set<string>();
  const told: (string | undefined)[] = [];
  const asked: [string, object][] = [];
  return {
    driver: tasksData,
    database: { ...database, migrate: { ...split, sync: 'job/sync' } },
    asked,
    async runTask(reference, env): Promise<TaskEnd> {
      told.push(env['AFLOAT_MAY_LOSE']);
      runs.add(JSON.stringify([reference, env]));
      asked.push([reference, env]);
      if (end.state !== 'done') return { state: end.state, reason: 'Scripted', message: end.message };
      const said = { state: 'done', reason: 'Complete', message: '' } as const;
      return end.left === undefined ? said : { ...said, result: end.left };
    },
    script(next) {
      end = next;
    },
    begun: () => runs.size,
    mayLose: () => told,
  };
}

dataContract('of tasks', openWorld);

const ask = (verb: DataVerb, left?: string, more: Partial<DataRun> = {}) => {
  const world = openWorld();
  world.script(left === undefined ? { state: 'done' } : { state: 'done', left });
  const report = tasksData.run(verb, { database: world.database, now, runTask: world.runTask, ...more });
  return report.then(told => ({ ...told, asked: world.asked }));
};

describe('databases whose every verb is a task', () => {
  it.each([
    ['create', 'job/init'],
    ['back-up', 'job/backup'],
    ['verify', 'job/verify'],
    ['expand', 'job/expand'],
    ['migrate', 'job/sync'],
    ['move-rows', 'job/rows'],
    ['contract', 'job/contract'],
    ['restore', 'job/restore'],
    ['drop', 'job/drop'],
  ] as const)('%s is the task %s', async (verb, reference) => {
    const { asked } = await ask(verb, undefined, { keepsWrites: false });
    const more = verb === 'restore' ? { AFLOAT_MAY_LOSE: 'yes' } : {};
    expect(asked).toEqual([[reference, { AFLOAT_DATABASE: 'identity', ...more }]]);
  });

  it('a task is told the schema to reach and the backup to bring back', async () => {
    const backup = { database: 'identity', location: 'store/1', checksum: 'sha256:1', takenAt: now };
    const { asked } = await ask('restore', undefined, { to: 'a', backup, keepsWrites: false });
    expect(asked[0]?.[1]).toEqual({
      ...{ AFLOAT_DATABASE: 'identity', AFLOAT_SCHEMA: 'a' },
      ...{ AFLOAT_BACKUP_LOCATION: 'store/1', AFLOAT_BACKUP_CHECKSUM: 'sha256:1' },
      AFLOAT_MAY_LOSE: 'yes',
    });
  });

  it.each([{}, { keepsWrites: true }])(
    'a restore that must keep what was written (%o) runs nothing',
    async more => {
      const report = await ask('restore', undefined, { to: 'a', ...more });
      expect(report).toMatchObject({ state: 'failed', reason: 'LossNotAccepted', asked: [] });
    },
  );

  it.each([
    ['create', 'done'],
    ['move-rows', 'done'],
    ...(['back-up', 'verify', 'expand', 'migrate', 'contract', 'restore', 'drop'] as const).map(
      verb => [verb, 'failed'] as const,
    ),
  ] as const)('without a task, %s is %s and nothing is run', async (verb, state) => {
    const bare = { name: 'identity', driver: 'tasks', goesOnUncontracted: false } as const;
    const report = await ask(verb, undefined, { database: bare });
    expect(report).toMatchObject({ state, asked: [] });
    expect(report.reason).toBe(state === 'failed' ? 'TaskMissing' : 'Done');
  });

  it.each([
    ['words for people', 'Backup written.'],
    ['no object', '[1]'],
    ['no place', '{"checksum":"sha256:1"}'],
    ['no checksum', '{"location":"store/1"}'],
    ['an empty place', '{"location":"","checksum":"sha256:1"}'],
    ['a checksum no status can hold', `{"location":"store/1","checksum":"${'x'.repeat(129)}"}`],
  ])('a backup that leaves %s is none', async (_, left) => {
    expect(await ask('back-up', left)).toMatchObject({ state: 'failed', reason: 'BackupUnknown' });
  });

  it.each([-1, 1.5, '7', 1e300])('a size of %s is no size, and the backup counts', async bytes => {
    const { state, backup } = await ask(
      'back-up',
      JSON.stringify({ location: 'store/1', checksum: 'c', bytes }),
    );
    expect(state).toBe('done');
    expect(backup).not.toHaveProperty('bytes');
  });

  it.each([
    ['what a task says of the schema goes over what was meant', '{"expandedTo":"c"}', 'c'],
    ['what it says to people does not', 'expanded', 'b'],
    ['nor does what no status can hold', `{"expandedTo":"${'x'.repeat(129)}"}`, 'b'],
  ])('%s', async (_, left, expandedTo) => {
    const { schema } = await ask('expand', left, { to: 'b' });
    expect(schema).toEqual({ database: 'identity', expandedTo });
  });

  it('a database that was dropped has no schema, whatever its task says', async () => {
    expect((await ask('drop', '{"expandedTo":"b"}')).schema).toEqual({ database: 'identity' });
  });
});
