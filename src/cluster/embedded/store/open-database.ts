import { linkSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { CodedError } from '../../../base/coded-error.ts';
import { noteHolder, readHolder } from './holder.ts';
import { type Migration, migrate } from './migrations.ts';

/** Errors of SQLite that say what is wrong with the file and not with us. */
const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

export const databaseName = 'store.db';

/**
 * Opens the database of a folder for this process alone, checked and in today's format; makes it where there is none. Throws
 * `StoreHeld`, `StoreNewer`, `StoreDamaged` or `StoreFull`; nothing in the folder is lost by that.
 */
export function openDatabase(
  folder: string,
  more: { maxPages?: number; steps?: readonly Migration[] } = {},
): Database.Database {
  const database = openFile(folder);
  try {
    lock(database, folder);
    check(database, folder);
    migrate(database, folder, more.steps);
    if (more.maxPages !== undefined) database.pragma(`max_page_count = ${more.maxPages}`);
  } catch (error) {
    closeDatabase(database);
    throw whyNotOpened(error, folder);
  }
  return database;
}

/** Opening takes so much room: what is written by it, and some more. */
const roomBytes = 256 * 1024;

/**
 * The file, without a lock yet. Makes sure first that there is room for what opening writes: on a full disk SQLite can neither go on
 * nor give its lock back.
 */
function openFile(folder: string): Database.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const trial = join(folder, `room-${process.pid}`);
    try {
      writeFileSync(trial, Buffer.alloc(roomBytes), { mode: 0o600 });
    } finally {
      rmSync(trial, { force: true });
    }
    return new Database(join(folder, databaseName));
  } catch (error) {
    throw whyNotOpened(error, folder);
  }
}

/**
 * Lets the file and its lock go at once. Closing alone would not: libsql keeps a closed connection, and its lock, until the
 * last prepared statement is garbage, which may be never.
 */
export function closeDatabase(database: Database.Database): void {
  try {
    database.pragma('journal_mode = DELETE'); // the only way out of a write-ahead log under an exclusive lock
    database.pragma('locking_mode = NORMAL');
    database.prepare('SELECT count(*) FROM sqlite_schema').get(); // the lock is given back after the next use
  } catch {
    // Held by another, damaged or full: there is nothing to give back, or it goes with the process.
  }
  database.close();
}

/** What `keepLog` leaves beside the database until it is known to be whole. */
export const keptLogName = `${databaseName}-wal.before`;

/**
 * Gives the write-ahead log of a process that was killed a second name. SQLite takes over what is whole of it and removes
 * the file; where the rest turns out to be missing, a person may still want to look at the bytes. Says whether it did.
 */
export function keepLog(folder: string): boolean {
  const log = join(folder, `${databaseName}-wal`);
  if (!(statSync(log, { throwIfNoEntry: false })?.size ?? 0)) return false;
  try {
    linkSync(log, join(folder, keptLogName));
    return true;
  } catch {
    // There is one already, from the failure before this one, and it is the better one; or there are no links here.
    return false;
  }
}

/** Takes the lock, which the kernel holds for this process until it ends, and makes every commit durable. */
function lock(database: Database.Database, folder: string): void {
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    throw new CodedError('StoreHeld', `the store in ${folder} is in use by ${readHolder(folder)}`, {
      details: { folder },
      cause: error,
    });
  }
  noteHolder(folder);
}

function check(database: Database.Database, folder: string): void {
  const rows = database.pragma('quick_check(3)') as readonly Record<string, unknown>[];
  const findings = rows.map(row => String(row['quick_check'])).filter(finding => finding !== 'ok');
  if (findings.length > 0) throw damaged(folder, findings.join('; '));
}

/** The error for content that cannot be trusted. */
export function damaged(folder: string, what: string, cause?: unknown): CodedError {
  return new CodedError('StoreDamaged', `the store in ${folder} is damaged: ${what}`, {
    details: { folder },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error that says why a store cannot be opened. */
export function whyNotOpened(error: unknown, folder: string): CodedError {
  if (error instanceof CodedError) return error;
  const code = codeOf(error);
  if (damageCodes.some(damage => code.startsWith(damage))) {
    return damaged(folder, error instanceof Error ? error.message : code, error);
  }
  if (isFull(error)) {
    return new CodedError('StoreFull', `there is no room to open the store in ${folder}`, { cause: error });
  }
  return new CodedError('StoreUnusable', `the store in ${folder} cannot be opened: ${String(error)}`, {
    cause: error,
    details: { folder },
  });
}

/** Whether an error of SQLite or of the file system says that there is no room. */
export function isFull(error: unknown): boolean {
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error));
}

/** The code of an error of SQLite or of the file system; empty for others. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
