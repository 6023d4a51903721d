import { describe, expect, it } from 'vitest';
import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import { type DataWorld, dataContract, type WorkEnd } from '../data.contract.ts';
import type { DataRun, DataVerb, TaskEnd } from '../data.ts';
import { mariadbData } from './mariadb-data.ts';

const now = '2026-01-01T00:00:00.000Z';
const database: LifecycleDatabase = {
  ...{ name: 'identity', driver: 'mariadb' as const, goesOnUncontracted: false },
  migrate: { expand: 'job/expand', migrate: 'job/rows', contract: 'job/contract', sync: 'job/sync' },
};
const backup = { database: 'identity', location: 'identity-1.backup', checksum: 'sha256:1', takenAt: now };

function openWorld(): DataWorld {
  let end: WorkEnd = { state: 'done' };
  const runs = new Set<string>();
  const told: (string | undefined)[] = [];
  return {
    driver: mariadbData,
    database,
    async runTask(reference, env, key): Promise<TaskEnd> {
      told.push(env['AFLOAT_MAY_LOSE']);
      runs.add(JSON.stringify([reference, env, key]));
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

dataContract('of MariaDB', openWorld);

/** Tasks that end as they are told by their verb or reference, the copy's apart; all others are done. */
async function ask(verb: DataVerb, ends: Record<string, Partial<TaskEnd>> = {}, more: Partial<DataRun> = {}) {
  const asked: string[] = [];
  const runTask: DataRun['runTask'] = async (reference, env) => {
    const what =
      env['AFLOAT_DATA_VERB'] ??
      (env['AFLOAT_COPY'] ? `${reference} on ${env['AFLOAT_DATABASE']}` : reference);
    asked.push(what);
    return { state: 'done', reason: 'Complete', message: '', ...ends[what] };
  };
  const report = await mariadbData.run(verb, { database, now, runTask, ...more });
  return { ...report, asked };
}

describe('databases of MariaDB', () => {
  it('whether a backup would find room is asked before one is taken', async () => {
    expect(await ask('estimate')).toMatchObject({ state: 'done', asked: ['estimate'] });
    const full = { state: 'failed', message: 'exit code 1: NoRoom: /backups has 1 MB free' } as const;
    expect(await ask('estimate', { estimate: full })).toMatchObject({ state: 'failed', reason: 'NoRoom' });
  });

  it('an expand is tried on a copy of the backup before it is made', async () => {
    const { state, asked } = await ask('expand', {}, { backup });
    expect(state).toBe('done');
    expect(asked).toEqual([
      ...['copy', 'job/expand on identity__afloat_copy', 'drop-copy'],
      ...['clear-way', 'job/expand'],
    ]);
  });

  it('an expand that fails on the copy never meets the database', async () => {
    const ends = {
      'job/expand on identity__afloat_copy': { state: 'failed', reason: 'Error', message: 'two trusts' },
    } as const;
    const { state, reason, asked } = await ask('expand', ends, { backup });
    expect({ state, reason }).toEqual({ state: 'failed', reason: 'Error' });
    expect(asked.at(-1)).toBe('drop-copy');
    expect(asked).not.toContain('job/expand');
  });

  it('an expand that failed says whether it left something behind', async () => {
    const failed = { 'job/expand': { state: 'failed', reason: 'Error', message: 'gone' } } as const;
    const schema = (text: string) => ({ result: JSON.stringify({ schema: text }) });
    const same = await ask('expand', { ...failed, 'clear-way': schema('a'), 'read-schema': schema('a') });
    expect(same).toMatchObject({ state: 'failed', reason: 'Error' });
    const half = await ask('expand', { ...failed, 'clear-way': schema('a'), 'read-schema': schema('b') });
    expect(half).toMatchObject({ state: 'failed', reason: 'SchemaHalfExpanded' });
  });

  it('a change that found a table held gives way and is tried again, three times in all, each as tasks of its own', async () => {
    const busy = { state: 'failed', reason: 'Error', message: 'exit code 1: DatabaseBusy: held' } as const;
    const keys: string[] = [];
    const changed = (tries: number) => {
      let left = tries;
      const runTask: DataRun['runTask'] = async (reference, env, key) => {
        keys.push(key ?? '');
        if (env['AFLOAT_DATA_VERB'] !== undefined || reference !== 'job/expand' || left === 0)
          return { state: 'done', reason: 'Complete', message: '' };
        left -= 1;
        return busy;
      };
      return mariadbData.run('expand', { database, now, runTask });
    };
    expect(await changed(2)).toMatchObject({ state: 'done' });
    expect(keys).toEqual([
      ...['identity/clear-way', 'identity', 'identity/clear-way/2', 'identity/2'],
      ...['identity/clear-way/3', 'identity/3'],
    ]);
    expect(await changed(9)).toMatchObject({ state: 'failed', reason: 'DatabaseBusy' });
    expect(keys.at(-1)).toBe('identity/read-schema/3');
  });

  it('a change of the schema is not begun while a transaction stands in the way', async () => {
    const message =
      'Job x: container data ended with exit code 1: DatabaseBusy: tables may be held by connection 7';
    const { state, reason, asked } = await ask('contract', {
      'clear-way': { state: 'failed', reason: 'Error', message },
    });
    expect({ state, reason, asked }).toEqual({
      state: 'failed',
      reason: 'DatabaseBusy',
      asked: ['clear-way'],
    });
  });

  it.each([
    [undefined, 'no'],
    [true, 'no'],
    [false, 'yes'],
  ])('a restore that keeps writes (%s) may lose them: %s', async (keepsWrites, may) => {
    const told: (string | undefined)[] = [];
    const runTask: DataRun['runTask'] = async (_, env) => {
      told.push(env['AFLOAT_MAY_LOSE']);
      return { state: 'done', reason: 'Complete', message: '' };
    };
    const given = keepsWrites === undefined ? {} : { keepsWrites };
    await mariadbData.run('restore', { database, now, runTask, backup, ...given });
    expect(told).toEqual([may]);
  });
});
