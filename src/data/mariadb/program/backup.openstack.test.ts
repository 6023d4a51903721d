import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ServingMariadb, startServingMariadb } from '../../../../scripts/openstack/serving-mariadb.ts';
import { type BackupRequest, backUp, estimate } from './back-up.ts';
import { listBackups, readRecord, writeRecord } from './backup-record.ts';
import { MariadbSession } from './mariadb-session.ts';
import { pruneBackups } from './prune-backups.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const run = promisify(execFile);
const key = randomBytes(32);
let world: ServingMariadb;
beforeAll(async () => {
  world = await startServingMariadb();
});
afterAll(() => world.remove());

const request = (more: Partial<BackupRequest> = {}): BackupRequest => ({
  ...{ access: world.access, database: 'bank', folder: world.folder, key, say: () => {}, ...more },
});
const verify = (file: string, withKey = key) =>
  verifyBackup({ file, key: withKey, environment: world.environment, say: () => {} });

/** Two tables whose sums are always the same together: money moves from one to the other in transactions. */
async function openBank(rows: number): Promise<void> {
  await world.sql(`
    DROP DATABASE IF EXISTS bank; CREATE DATABASE bank CHARACTER SET utf8mb4; USE bank;
    CREATE TABLE cash (id INT PRIMARY KEY AUTO_INCREMENT, amount INT NOT NULL, note VARCHAR(200)) ENGINE=InnoDB;
    CREATE TABLE debt LIKE cash;
    INSERT INTO cash (amount, note) SELECT 100, REPEAT('x', 150) FROM seq_1_to_${rows};
    INSERT INTO debt (amount, note) SELECT 100, REPEAT('y', 150) FROM seq_1_to_${rows};
  `);
}

/** Moves money without pause until it is told to stop; gives how often it did. */
function startWriting(): () => Promise<number> {
  let goes = true;
  const session = new MariadbSession(world.access, 'bank');
  const work = (async () => {
    let count = 0;
    for (; goes; count++) {
      await session.query('START TRANSACTION');
      await session.query(`UPDATE cash SET amount = amount - 1 WHERE id = 1 + ${count} % 50`);
      await session.query(`UPDATE debt SET amount = amount + 1 WHERE id = 1 + ${count} % 50`);
      await session.query(`INSERT INTO cash (amount, note) VALUES (0, 'turn ${count}')`);
      await session.query('COMMIT');
    }
    await session.close();
    return count;
  })();
  return () => {
    goes = false;
    return work;
  };
}

describe('a backup', () => {
  beforeEach(() => openBank(2000));
  afterEach(async () => {
    for (const { file } of await listBackups(world.folder, 'bank', key)) await writeFile(`${file}.json`, '');
  });

  it('of a quiet database begins without any lock, and is proved on a server of its own', async () => {
    const { file, record } = await backUp(request());
    expect(record.position?.file).toMatch(/^bin\.\d+$/);
    expect(record.position?.gtid).toMatch(/^\d+-\d+-\d+$/);
    expect(record.tables).toMatchObject([
      { name: 'cash', rows: 2000 },
      { name: 'debt', rows: 2000 },
    ]);
    expect((await readFile(file)).includes('INSERT')).toBe(false);
    const proved = await verify(file);
    expect(proved.verifiedAt).toBeDefined();
    expect(await readRecord(file, key)).toEqual(proved);
    expect(await estimate(request())).toMatchObject({
      bytes: expect.any(Number),
      seconds: expect.any(Number),
    });
  });

  it('that is taken while clients write holds one moment of all tables, and its proof holds', async () => {
    const stop = startWriting();
    const files: string[] = [];
    for (let turn = 0; turn < 3; turn++) files.push((await backUp(request())).file);
    expect(await stop()).toBeGreaterThan(3);
    for (const file of files) {
      const { tables } = await verify(file);
      expect(tables.map(({ name }) => name)).toEqual(['cash', 'debt']);
    }
    const [file = ''] = files;
    const { environment, access } = world;
    await restoreBackup({ access, file, key, mayLose: true, environment, say: () => {} });
    const turns = await world.sql("SELECT COUNT(*) FROM cash WHERE note LIKE 'turn %'", 'bank');
    const moved = await world.sql(
      'SELECT 200000 - SUM(amount), (SELECT SUM(amount) FROM debt) - 200000 FROM cash',
      'bank',
    );
    expect(moved.trim().split('\t')).toEqual([turns.trim(), turns.trim()]);
  });

  it('that lost a byte, its end or its record is noticed', async () => {
    const { file } = await backUp(request());
    const good = await readFile(file);
    const handle = await open(file, 'r+');
    const at = Math.floor(good.length / 2);
    await handle.write(Buffer.from([(good[at] ?? 0) ^ 1]), 0, 1, at);
    await handle.close();
    await expect(verify(file)).rejects.toMatchObject({ code: 'BackupDamaged' });
    await writeFile(file, good.subarray(0, good.length - 1000));
    await expect(verify(file)).rejects.toMatchObject({ code: 'BackupDamaged' });
    await writeFile(file, good);
    await verify(file);
    await writeFile(`${file}.json`, '{}');
    await expect(verify(file)).rejects.toMatchObject({ code: 'BackupDamaged' });
  });

  it('that holds another row than the database did is noticed', async () => {
    const { file, record } = await backUp(request());
    const [first, ...others] = record.tables;
    const wrong = { ...first, name: 'cash', rows: 2000, checksum: '1' };
    await writeRecord(file, { ...record, tables: [wrong, ...others] }, key);
    await expect(verify(file)).rejects.toMatchObject({
      code: 'BackupDiffers',
      details: { tables: ['cash has other rows'] },
    });
    await writeRecord(file, { ...record, tables: [{ ...wrong, rows: 1999 }, ...others] }, key);
    await expect(verify(file)).rejects.toMatchObject({ code: 'BackupDiffers' });
  });

  it('does not open with another key', async () => {
    const { file } = await backUp(request());
    await expect(verify(file, randomBytes(32))).rejects.toMatchObject({ code: 'BackupKeyWrong' });
  });

  it('waits for a transaction that holds a table open no longer than it says, and names its connection', async () => {
    // While somebody writes, the two snapshots never have the same place, and a lock is needed.
    const stop = startWriting();
    const holder = new MariadbSession(world.access, 'bank');
    await holder.query('START TRANSACTION');
    await holder.query("UPDATE debt SET note = 'held' WHERE id = 1999");
    const id = await holder.value('SELECT CONNECTION_ID()');
    await expect(backUp(request())).rejects.toMatchObject({
      code: 'DatabaseBusy',
      details: { who: expect.arrayContaining([expect.stringContaining(`connection ${id} of root`)]) },
    });
    await holder.query('ROLLBACK');
    await holder.close();
    await stop();
    expect((await backUp(request())).record.tables).toHaveLength(2);
  });

  it('refuses tables that no snapshot holds', async () => {
    await world.sql('CREATE TABLE loose (id INT) ENGINE=MyISAM', 'bank');
    await expect(backUp(request())).rejects.toMatchObject({
      code: 'DatabaseUnsupported',
      details: { tables: ['loose'] },
    });
    await expect(backUp(request({ database: 'nowhere' }))).rejects.toMatchObject({ code: 'DatabaseAbsent' });
  });

  it('leaves nothing behind when the server dies in the middle, and is taken when it is back', async () => {
    await openBank(200_000);
    const before = await readdir(world.folder);
    const work = backUp(request());
    const failed = work.then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );
    await until(async () => (await readdir(world.folder)).some(name => name.endsWith('.partial')));
    await world.server.kill();
    expect(await failed).toMatch(/^Database(Unreachable|Refused)$/);
    expect(await readdir(world.folder)).toEqual(before);
    await world.server.start();
    const { record } = await backUp(request());
    expect(record.tables[0]?.rows).toBe(200_000);
  });

  it('is not begun where there is no room, and leaves nothing where room runs out', async () => {
    await openBank(100_000);
    await world.sql('ANALYZE TABLE bank.cash, bank.debt'); // what a server does by itself some seconds after such a change
    const folder = await mkdtemp(join(tmpdir(), 'afloat-small-'));
    onTestFinished(async () => {
      await run('umount', ['-l', folder]).catch(() => {}); // it is mounted only where the test failed
      await rm(folder, { recursive: true });
    });
    const small = async (size: string) => {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'afloat-test', folder]);
      return () => run('umount', ['-l', folder]);
    };
    const unmount = await small('20m');
    const noRoom = { code: 'NoRoom', details: { folder } };
    await expect(backUp(request({ folder }))).rejects.toMatchObject(noRoom);
    await expect(estimate(request({ folder }))).rejects.toMatchObject(noRoom);
    await unmount();
    // One whose text was far smaller for its rows lets the next one be expected to be small too.
    const { record } = await backUp(request());
    const unmountAgain = await small('24m');
    await writeRecord(join(folder, 'bank-0.backup'), { ...record, textBytes: 1 }, key);
    await expect(backUp(request({ folder }))).rejects.toMatchObject({ code: 'NoRoom', details: { folder } });
    expect(await readdir(folder)).toEqual(['bank-0.backup.json']);
    await unmountAgain();
  });

  it('is kept as long as it is one of the newest that were proved', async () => {
    const files: string[] = [];
    for (let turn = 0; turn < 4; turn++) files.push((await backUp(request())).file);
    for (const file of [files[0], files[1], files[3]]) {
      if (file === undefined) continue;
      const record = await readRecord(file, key);
      await writeRecord(file, { ...record, verifiedAt: record.takenAt }, key);
    }
    const retention = { folder: world.folder, database: 'bank', key };
    expect(await pruneBackups({ ...retention, keep: 3 })).toEqual([]);
    expect(await pruneBackups({ ...retention, keep: 2, needed: [files[0] ?? ''] })).toEqual([]);
    expect(await pruneBackups({ ...retention, keep: 2 })).toEqual([files[0]]);
    expect((await listBackups(world.folder, 'bank', key)).map(({ file }) => file)).toEqual([
      files[3],
      files[2],
      files[1],
    ]);
  });
});

async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await ask())) if (performance.now() > end) expect.fail('not within 120 s');
}
