import { stat } from 'node:fs/promises';
import { CodedError } from '../../../base/coded-error.ts';
import { type BackupRecord, readRecord, writeRecord } from './backup-record.ts';
import { differences, readFacts, sumTablesNow } from './database-facts.ts';
import { openAccess, type ToolEnvironment } from './mariadb-access.ts';
import { identifier, withSession } from './mariadb-session.ts';
import { Progress, type Say } from './progress.ts';
import { loadSql, readBackup } from './read-backup.ts';
import { checkRoomForProof } from './room.ts';
import { startThrowAwayServer } from './throw-away-server.ts';

/** A backup, and what it takes to open it. */
export interface BackupToRead {
  readonly file: string;
  /** The checksum by which whoever asks knows it. */
  readonly checksum?: string;
  readonly key: Buffer;
  readonly environment?: ToolEnvironment;
  readonly say: Say;
}

/**
 * Proves that a backup can be brought back: brings it back on a server of our own, and holds every table to the rows and checksum
 * that were taken in the snapshot of the dump. Leaves the proof in its record, and nothing else. Fails with `BackupDamaged`,
 * `BackupKeyWrong` or `BackupDiffers`.
 */
export async function verifyBackup(backup: BackupToRead): Promise<BackupRecord> {
  const { file, key, environment = process.env, say } = backup;
  const began = performance.now();
  const record = await openRecord(backup);
  await checkRoomForProof(record.allBytes);
  const server = await startThrowAwayServer({ environment });
  try {
    const access = await openAccess(server.target, environment);
    try {
      const { database, charset, collation } = record;
      await withSession(access, undefined, session =>
        session.query(
          `CREATE DATABASE ${identifier(database)} CHARACTER SET ${charset} COLLATE ${collation}`,
        ),
      );
      const { tables, programs } = readBackup(file, record, key);
      const progress = new Progress(say, 'proof', record.textBytes);
      await loadSql(access, database, progress.count(tables));
      await loadSql(access, database, progress.count(programs));
      await compare(record, () =>
        withSession(access, undefined, async session => {
          const facts = await readFacts(session, database);
          return sumTablesNow(session, database, facts.tables);
        }),
      );
    } finally {
      await access.close();
    }
  } finally {
    await server.remove();
  }
  const verifySeconds = Math.round((performance.now() - began) / 10) / 100;
  const verified = { ...record, verifiedAt: new Date().toISOString(), verifySeconds };
  await writeRecord(file, verified, key);
  return verified;
}

/** The record of a backup, held to the checksum that is asked for. The file is there, in its size; what is in it is not read. */
export async function openRecord({
  file,
  checksum,
  key,
}: Pick<BackupToRead, 'file' | 'checksum' | 'key'>): Promise<BackupRecord> {
  const record = await readRecord(file, key);
  if (checksum !== undefined && checksum !== record.checksum)
    throw new CodedError('BackupDamaged', `${file} is not the backup with the checksum ${checksum}`);
  if ((await sizeOf(file)) !== record.bytes)
    throw new CodedError('BackupDamaged', `${file} has another size than its record says`);
  return record;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw new CodedError('BackupDamaged', `${file} cannot be read`, { cause });
  }
}

/** Fails with `BackupDiffers` where tables are not as the record says. */
export async function compare(
  { tables }: BackupRecord,
  read: () => Promise<BackupRecord['tables']>,
): Promise<void> {
  const wrong = differences(tables, await read());
  if (wrong.length === 0) return;
  throw new CodedError(
    'BackupDiffers',
    `what came back is not what was there: ${wrong.slice(0, 8).join('; ')}`,
    {
      details: { tables: wrong },
    },
  );
}
