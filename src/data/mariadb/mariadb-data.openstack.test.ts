import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ServingMariadb, startServingMariadb } from '../../../scripts/openstack/serving-mariadb.ts';
import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import type { Backup } from '../../api/service-revision.ts';
import type { DataReport, DataRun, DataVerb, TaskEnd } from '../data.ts';
import { mariadbData } from './mariadb-data.ts';
import { MariadbSession } from './program/mariadb-session.ts';

const database: LifecycleDatabase = {
  ...{ name: 'identity', driver: 'mariadb' as const, goesOnUncontracted: false },
  migrate: { expand: 'job/expand', contract: 'job/contract' },
};
let world: ServingMariadb;
let program: string;
let tasks: Tasks;
beforeAll(async () => {
  world = await startServingMariadb();
  program = join(world.folder, 'task.mjs');
  const entry = join(import.meta.dirname, 'program/run-data-task.ts');
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });
  await writeFile(join(world.folder, 'key'), randomBytes(32).toString('hex'));
  await world.sql(
    "CREATE USER keystone@localhost IDENTIFIED BY 'k'; GRANT SELECT ON identity.* TO keystone@localhost",
  );
});
afterAll(() => world.remove());

/** Tasks as a node runs them: processes of their own, found again by their key, with last words; migrations are SQL. */
class Tasks {
  readonly migrations: Record<string, string>;
  readonly #runs = new Map<string, { child?: ChildProcess; end?: TaskEnd }>();
  /** How many backups the package keeps. */
  readonly keep: number | undefined;
  constructor(migrations: Record<string, string>, keep?: number) {
    this.migrations = migrations;
    this.keep = keep;
  }

  /** The process of the newest task that still runs. */
  get running(): ChildProcess | undefined {
    return [...this.#runs.values()].filter(run => !run.end).at(-1)?.child;
  }

  readonly run: DataRun['runTask'] = async (reference, env, key = '') => {
    const name = `${reference}#${key}`;
    const known = this.#runs.get(name);
    if (known?.end) return known.end;
    if (!known) {
      const run: { child?: ChildProcess; end?: TaskEnd } = {};
      this.#runs.set(name, run);
      const work =
        reference === 'job/identity-data' ? this.#program(env, run) : this.#migrate(reference, env);
      void work.then(end => {
        run.end = end;
      });
    }
    return { state: 'running', reason: 'TaskRunning', message: `${name} runs` };
  };

  async #program(env: Readonly<Record<string, string>>, run: { child?: ChildProcess }): Promise<TaskEnd> {
    const result = join(world.folder, `result-${randomBytes(4).toString('hex')}`);
    run.child = spawn(process.execPath, [program], {
      env: {
        ...world.environment,
        ...env,
        ...{ AFLOAT_MARIADB_SOCKET: world.server.target.socket, AFLOAT_MARIADB_USER: 'root' },
        ...{ AFLOAT_BACKUP_FOLDER: world.folder, AFLOAT_BACKUP_KEY_FILE: join(world.folder, 'key') },
        ...(this.keep === undefined ? {} : { AFLOAT_BACKUP_KEEP: `${this.keep}` }),
        AFLOAT_RESULT_FILE: result,
      },
      stdio: 'ignore',
    });
    const [code] = (await once(run.child, 'exit')) as [number | null];
    const said = await readFile(result, 'utf8').catch(() => '');
    return code === 0
      ? { state: 'done', reason: 'Complete', message: '', result: said }
      : { state: 'failed', reason: 'Error', message: `ended with exit code ${code}: ${said}` };
  }

  async #migrate(reference: string, env: Readonly<Record<string, string>>): Promise<TaskEnd> {
    const wait = `SET SESSION lock_wait_timeout = ${env['AFLOAT_LOCK_WAIT_SECONDS'] ?? 20};`;
    return world.sql(`${wait}${this.migrations[reference] ?? ''}`, env['AFLOAT_DATABASE']).then(
      () => ({ state: 'done', reason: 'Complete', message: '' }),
      (error: Error) => ({ state: 'failed', reason: 'Error', message: error.message }),
    );
  }
}

/** Asks as the engine does, again and again, until there is an end. */
async function settled(verb: DataVerb, more: Partial<DataRun> = {}, on = tasks): Promise<DataReport> {
  const end = performance.now() + 250_000;
  for (;;) {
    const report = await mariadbData.run(verb, {
      database,
      now: new Date().toISOString(),
      runTask: on.run,
      ...more,
    });
    if (report.state !== 'running') return report;
    if (performance.now() > end) expect.fail(`${verb} not within 250 s`);
    await sleep(50);
  }
}

async function backedUp(): Promise<Backup> {
  const { backup } = await settled('back-up');
  if (!backup) expect.fail('no backup');
  return backup;
}

const rows = () => world.sql('SELECT * FROM users ORDER BY id', 'identity');
const columns = () => world.sql('SHOW COLUMNS FROM users', 'identity');

describe('the driver with real tasks', () => {
  beforeEach(async () => {
    tasks = new Tasks({
      'job/expand': 'ALTER TABLE users ADD COLUMN mail VARCHAR(100); ALTER TABLE users ADD UNIQUE (name);',
      'job/contract': 'ALTER TABLE users DROP COLUMN old',
    });
    await world.sql(`DROP DATABASE IF EXISTS identity; CREATE DATABASE identity; USE identity;
      CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(50), old INT); INSERT INTO users VALUES (1, 'ann', 1), (2, 'ben', 2);`);
  });

  it('creates, backs up, proves, expands, contracts, restores and drops', async () => {
    await world.sql('DROP DATABASE identity');
    expect((await settled('create', { to: 'a' })).schema).toEqual({
      database: 'identity',
      expandedTo: 'a',
      contractedTo: 'a',
    });
    await world.sql(
      "CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(50), old INT); INSERT INTO users VALUES (1, 'ann', 1)",
      'identity',
    );
    const [before, shape] = [await rows(), await columns()];
    const backup = await backedUp();
    expect(backup.location).toMatch(/^identity-.*\.backup$/);
    const proof = await settled('verify', { backup });
    expect(proof.backup?.verifiedAt).toBeDefined();
    const expanded = await settled('expand', { backup, to: 'b' });
    expect(expanded).toMatchObject({ state: 'done' });
    expect(await columns()).toContain('mail');
    expect(await world.sql("SHOW DATABASES LIKE '%copy'")).toBe('');
    expect(await world.sql('SHOW GRANTS FOR keystone@localhost')).not.toContain('copy');
    expect((await settled('contract', { to: 'b' })).state).toBe('done');
    expect((await settled('restore', { backup, to: 'a' })).schema).toMatchObject({ expandedTo: 'a' });
    expect([await rows(), await columns()]).toEqual([before, shape]);
    expect((await settled('drop')).schema).toEqual({ database: 'identity' });
    expect(await world.sql("SHOW DATABASES LIKE 'identity'")).toBe('');
  });

  it('rows that break an expand are found on the copy, and the database stays as it is', async () => {
    await world.sql("INSERT INTO users VALUES (3, 'ann', 3)", 'identity');
    const shape = await columns();
    const backup = await backedUp();
    expect(await settled('expand', { backup, to: 'b' })).toMatchObject({ state: 'failed' });
    expect(await columns()).toBe(shape);
    expect(await world.sql("SHOW DATABASES LIKE '%copy'")).toBe('');
  });

  it('an expand that fails half way in the database says so', async () => {
    await world.sql("INSERT INTO users VALUES (3, 'ann', 3)", 'identity');
    // Without a backup there is nothing to try it on.
    const report = await settled('expand', { to: 'b' });
    expect(report).toMatchObject({ state: 'failed', reason: 'SchemaHalfExpanded' });
    expect(await columns()).toContain('mail');
  });

  it.each([
    ['in the database', 'identity'],
    ['in none', undefined],
  ])(
    'a transaction of a connection %s that is held open keeps a schema change from beginning, and is named',
    async (_, where) => {
      const holder = new MariadbSession(world.access, where);
      await holder.query('START TRANSACTION');
      await holder.query('SELECT * FROM identity.users');
      const id = await holder.value('SELECT CONNECTION_ID()');
      await sleep(3500); // so that it is old enough, in whole seconds, not to be somebody's ordinary work
      const report = await settled('contract', { to: 'b' });
      expect(report).toMatchObject({
        state: 'failed',
        reason: 'DatabaseBusy',
        message: expect.stringContaining(`connection ${id} `),
      });
      expect(await columns()).toContain('old');
      await holder.close();
    },
  );

  it('a restore that must keep what clients wrote is refused', async () => {
    const backup = await backedUp();
    await world.sql("INSERT INTO users VALUES (9, 'zoe', 9)", 'identity');
    const before = await rows();
    expect(await settled('restore', { backup, to: 'a', keepsWrites: true })).toMatchObject({
      ...{
        state: 'failed',
        reason: 'LossNotAccepted',
        message: expect.stringContaining('users: 1 inserted'),
      },
    });
    expect(await rows()).toBe(before);
  });

  it('what a restore would drop is listed, and is what it drops', async () => {
    const before = await rows();
    const backup = await backedUp();
    const nothing = await settled('list-loss', { backup });
    expect(nothing.loss).toMatchObject({ database: 'identity', known: true, tables: [] });
    await world.sql(
      "INSERT INTO users VALUES (8, 'yan', 8), (9, 'zoe', 9); UPDATE users SET old = 3; DELETE FROM users WHERE id = 1",
      'identity',
    );
    const listed = await settled('list-loss', { backup }, new Tasks({}));
    const tables = [{ table: 'users', says: '2 inserted, 4 updated, 1 deleted' }];
    expect(listed.loss).toMatchObject({ known: true, tables });
    // Nobody said that it may be lost.
    expect(await settled('restore', { backup, to: 'a' })).toMatchObject({ reason: 'LossNotAccepted' });
    const restored = await settled('restore', { backup, to: 'a', keepsWrites: false }, new Tasks({}));
    expect(restored.loss?.tables).toEqual(tables);
    expect(await rows()).toBe(before);
  });

  it('a backup that is still needed outlives the proof of a newer one, and one whose file is gone is told before a restore', async () => {
    const proved = async (needed: readonly string[]) => {
      const on = new Tasks({}, 1);
      const { backup } = await settled('back-up', {}, on);
      if (!backup) expect.fail('no backup');
      expect((await settled('verify', { backup, needed }, on)).state).toBe('done');
      return backup;
    };
    const listed = (backup: Backup) => settled('list-loss', { backup }, new Tasks({}));
    const first = await proved([]);
    await proved([first.location]);
    expect(await listed(first)).toMatchObject({ state: 'done', loss: { known: true } });
    const last = await proved([]);
    expect(await listed(first)).toMatchObject({ state: 'failed', reason: 'BackupDamaged' });
    await rm(join(world.folder, last.location));
    expect(await listed(last)).toMatchObject({ state: 'failed', reason: 'BackupDamaged' });
  });

  it('a task that is killed is done by another one', async () => {
    await world.sql(
      "INSERT INTO users SELECT seq, CONCAT('user ', seq), 0 FROM seq_10_to_100000",
      'identity',
    );
    const backup = await backedUp();
    const before = await rows();
    await world.sql('DELETE FROM users WHERE id > 10', 'identity');
    const first = new Tasks({});
    const cut = settled('restore', { backup, to: 'a', keepsWrites: false }, first);
    await until(
      async () =>
        (await world.sql("SHOW TABLES FROM identity__afloat_new LIKE 'users'").catch(() => '')) !== '',
    );
    first.running?.kill('SIGKILL');
    expect((await cut).state).toBe('failed');
    expect((await settled('restore', { backup, to: 'a', keepsWrites: false }, new Tasks({}))).state).toBe(
      'done',
    );
    expect(await rows()).toBe(before);
  });
});

async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await ask())) if (performance.now() > end) expect.fail('not within 120 s');
}
