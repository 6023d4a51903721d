import { beforeEach, describe, expect, it } from 'vitest';
import type { LifecycleDatabase } from '../api/package-lifecycle.ts';
import type { Backup } from '../api/service-revision.ts';
import type { DataDriver, DataRun, DataVerb } from './data.ts';

/** What becomes of the work behind a verb, and what it leaves as its last words. */
export type WorkEnd =
  | { readonly state: 'running' | 'failed'; readonly message: string }
  | { readonly state: 'done'; readonly left?: string };

/** One kind of database under test. */
export interface DataWorld {
  readonly driver: DataDriver;
  /** A database with everything the driver needs for all verbs. */
  readonly database: LifecycleDatabase;
  readonly runTask: DataRun['runTask'];
  /** What the work of every verb comes to from now on. */
  script(end: WorkEnd): void;
  /** How often work was begun; asking again begins nothing. */
  begun(): number;
  /** What work was told of whether it may lose something, in the order it was asked for. */
  mayLose(): readonly (string | undefined)[];
}

const now = '2026-01-01T00:00:00.000Z';
const taken: Backup = { database: 'identity', location: 'store/1', checksum: 'sha256:1', takenAt: now };
const verbs: readonly DataVerb[] = [
  ...(['create', 'back-up', 'verify', 'expand', 'migrate', 'move-rows', 'contract'] as const),
  ...(['list-loss', 'restore', 'drop'] as const),
];
const leftByBackup = JSON.stringify({ location: 'store/1', checksum: 'sha256:1', bytes: 7 });

/** What every kind of database must do, in words that MariaDB and tasks have in common. */
export function dataContract(name: string, open: () => DataWorld): void {
  describe(`data driver ${name}`, () => {
    let world: DataWorld;
    beforeEach(() => {
      world = open();
    });
    const ask = (verb: DataVerb, more: Partial<DataRun> = {}) =>
      world.driver.run(verb, {
        ...{ database: world.database, now, runTask: world.runTask, keepsWrites: false, ...more },
      });

    it.each(verbs)('%s goes on as long as its work does', async verb => {
      world.script({ state: 'running', message: 'row 5 of 10' });
      expect(await ask(verb, { backup: taken })).toMatchObject({ state: 'running', message: 'row 5 of 10' });
    });

    it.each(verbs)('%s that fails says why, and tells of no backup and no schema', async verb => {
      world.script({ state: 'failed', message: 'the disk is full' });
      const report = await ask(verb, { backup: taken, to: 'b' });
      expect(report).toMatchObject({ state: 'failed', message: 'the disk is full' });
      expect(report).not.toHaveProperty('backup');
      expect(report).not.toHaveProperty('schema');
    });

    it.each(verbs)('%s asked for again tells of the same run', async verb => {
      world.script({ state: 'done', left: leftByBackup });
      const first = await ask(verb, { backup: taken, to: 'b' });
      expect(first.state).toBe('done');
      const begun = world.begun();
      expect(begun).toBeGreaterThan(0);
      expect(await ask(verb, { backup: taken, to: 'b' })).toEqual(first);
      expect(world.begun()).toBe(begun);
    });

    it('a backup is told with where it is, its checksum and when it was taken, and is not proved yet', async () => {
      world.script({ state: 'done', left: leftByBackup });
      expect((await ask('back-up')).backup).toEqual({ ...taken, bytes: 7 });
    });

    it('a backup that was proved says when', async () => {
      world.script({ state: 'done' });
      expect((await ask('verify', { backup: taken })).backup).toEqual({ ...taken, verifiedAt: now });
    });

    it('where there is no backup, nothing is proved', async () => {
      world.script({ state: 'done' });
      expect(await ask('verify')).toMatchObject({ state: 'failed', reason: 'BackupUnknown' });
    });

    it.each([
      ['create', undefined, { expandedTo: 'b', contractedTo: 'b' }],
      ['migrate', { expandedTo: 'a', contractedTo: 'a' }, { expandedTo: 'b', contractedTo: 'b' }],
      ['expand', { expandedTo: 'a', contractedTo: 'a' }, { expandedTo: 'b', contractedTo: 'a' }],
      ['expand', { expandedTo: 'a' }, { expandedTo: 'b', contractedTo: 'a' }],
      ['contract', { expandedTo: 'b', contractedTo: 'a' }, { expandedTo: 'b', contractedTo: 'b' }],
      ['restore', { expandedTo: 'c', contractedTo: 'c' }, { expandedTo: 'b', contractedTo: 'b' }],
      ['drop', { expandedTo: 'b', contractedTo: 'b' }, {}],
    ] as const)('%s of a database that has %o leaves %o', async (verb, before, after) => {
      world.script({ state: 'done' });
      const known = before ? { before: { database: 'identity', ...before } } : {};
      const { schema } = await ask(verb, { to: 'b', backup: taken, ...known });
      expect(schema).toEqual({ database: 'identity', ...after });
    });

    it('a restore leaves the schema that is in the backup, where that is known', async () => {
      world.script({ state: 'done' });
      const marks = { expandedTo: 'c', contractedTo: 'b' };
      const { schema } = await ask('restore', { to: 'b', backup: { ...taken, ...marks } });
      expect(schema).toEqual({ database: 'identity', ...marks });
    });

    it.each(['list-loss', 'restore'] as const)('%s tells what is lost, table by table', async verb => {
      const tables = [{ table: 'user', says: '3 inserted' }];
      world.script({ state: 'done', left: JSON.stringify({ tables }) });
      const loss = { database: 'identity', toldAt: now, since: taken.takenAt, known: true, tables };
      expect((await ask(verb, { backup: taken })).loss).toEqual(loss);
    });

    it.each(['list-loss', 'restore'] as const)('%s says why what is lost cannot be told', async verb => {
      world.script({ state: 'done', left: JSON.stringify({ message: 'there is no log' }) });
      const loss = { database: 'identity', toldAt: now, since: taken.takenAt, known: false, tables: [] };
      expect((await ask(verb, { backup: taken })).loss).toEqual({ ...loss, message: 'there is no log' });
    });

    it.each([
      ['too long', { table: 'user', says: 'x'.repeat(257) }],
      ['without words', { table: 'user' }],
      ['of a table without a name', { table: '', says: '3 inserted' }],
      ['that is a mere name', 'user'],
    ])('a list with an entry %s is not taken for the whole, nor for nothing', async (_, entry) => {
      const whole = { table: 'role', says: '1 deleted' };
      for (const tables of [[], [whole]]) {
        world.script({
          state: 'done',
          left: JSON.stringify({ tables: [...tables, entry], message: 'more' }),
        });
        const { loss } = await ask('list-loss', { backup: taken });
        expect(loss).toMatchObject({ known: false, tables });
        expect(loss?.message).toBe(`1 of ${tables.length + 1} entries of the list cannot be read; more`);
      }
    });

    it('of a list that is longer than a status holds it is said how much was cut', async () => {
      const tables = Array.from({ length: 300 }, (_, at) => ({ table: `t${at}`, says: '1 inserted' }));
      world.script({ state: 'done', left: JSON.stringify({ tables }) });
      const { loss } = await ask('list-loss', { backup: taken });
      expect(loss).toMatchObject({ known: true, message: '44 more tables do not fit here' });
      expect(loss?.tables).toEqual(tables.slice(0, 256));
    });

    it('why it cannot be told is cut where it is too long, and not left out', async () => {
      world.script({ state: 'done', left: JSON.stringify({ message: 'x'.repeat(2000) }) });
      const { loss } = await ask('list-loss', { backup: taken });
      expect(loss).toMatchObject({ known: false, message: 'x'.repeat(1024) });
    });

    it.each([{}, { keepsWrites: true }])(
      'a restore that must keep what was written (%o) lets no work lose it',
      async more => {
        world.script({ state: 'failed', message: 'LossNotAccepted: 3 inserted' });
        const run = { database: world.database, now, runTask: world.runTask, backup: taken, to: 'a' };
        const report = await world.driver.run('restore', { ...run, ...more });
        expect(report).toMatchObject({ state: 'failed', reason: 'LossNotAccepted' });
        expect(world.mayLose().filter(may => may !== 'no')).toEqual([]);
      },
    );

    it('a restore that may drop what was written tells its work so', async () => {
      world.script({ state: 'done' });
      expect(await ask('restore', { backup: taken, to: 'a' })).toMatchObject({ state: 'done' });
      expect(world.mayLose()).toEqual(['yes']);
    });

    it('what proves a backup is told which others are still needed', async () => {
      world.script({ state: 'done' });
      const told: (string | undefined)[] = [];
      const runTask: DataRun['runTask'] = (reference, env, key) => {
        told.push(env['AFLOAT_BACKUP_NEEDED']);
        return world.runTask(reference, env, key);
      };
      await ask('verify', { backup: taken, needed: ['store/0', 'store/2'], runTask });
      expect(told).toEqual(['store/0\nstore/2']);
    });

    it.each(['list-loss', 'restore'] as const)('%s that says nothing of it tells of no loss', async verb => {
      world.script({ state: 'done' });
      expect(await ask(verb, { backup: taken })).not.toHaveProperty('loss');
    });

    it('how long a backup and its proof took is told in whole seconds', async () => {
      world.script({ state: 'done', left: JSON.stringify({ location: 'a', checksum: 'b', seconds: 1.2 }) });
      const { backup } = await ask('back-up');
      expect(backup).toMatchObject({ seconds: 2 });
      world.script({ state: 'done', left: JSON.stringify({ seconds: 0.1 }) });
      const proved = await ask('verify', backup ? { backup } : {});
      expect(proved.backup).toMatchObject({ seconds: 3, verifiedAt: now });
    });

    it.each(['back-up', 'verify', 'list-loss', 'move-rows'] as const)(
      '%s says nothing of the schema',
      async verb => {
        world.script({ state: 'done', left: leftByBackup });
        expect(await ask(verb, { backup: taken, to: 'b' })).not.toHaveProperty('schema');
      },
    );
  });
}
