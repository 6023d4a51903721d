import type Database from 'libsql';
import { CodedError } from '../../../base/coded-error.ts';

/** One step from a format of the file to the next. Runs inside a transaction. */
export type Migration = (database: Database.Database) => void;

/** Marks a file as ours, so that somebody else's database is not taken for a damaged or an empty one of ours. */
const applicationId = 0x41464c54; // AFLT

/**
 * The steps from an empty file to today's format; the format of a file is how many of them it has seen. A step is never
 * changed once released: what comes after it is another step.
 */
export const migrations: readonly Migration[] = [
  // 1: every version of every object, until compaction; the last of each is its state now.
  database =>
    database.exec(`
      CREATE TABLE revision (
        version INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        place TEXT NOT NULL,
        change INTEGER NOT NULL,
        time INTEGER NOT NULL,
        body TEXT NOT NULL,
        checksum INTEGER NOT NULL
      );
      CREATE TABLE compaction (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
      INSERT INTO compaction VALUES (1, 0);
    `),
];

/** Brings a file to the format of the last step, in one transaction; refuses one that is further than we know. */
export function migrate(
  database: Database.Database,
  folder: string,
  steps: readonly Migration[] = migrations,
): void {
  const format = numberOf(database, 'user_version');
  const owner = numberOf(database, 'application_id');
  if (owner !== 0 && owner !== applicationId) {
    throw new CodedError('StoreDamaged', `${folder} holds a database that is not a store of Afloat`);
  }
  if (format > steps.length) {
    throw new CodedError(
      'StoreNewer',
      `the store in ${folder} was written by a newer version of Afloat (format ${format}; this one knows ${steps.length})`,
      { details: { folder, format, known: steps.length } },
    );
  }
  if (format === steps.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of steps.slice(format)) step(database);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}; COMMIT`);
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function numberOf(database: Database.Database, pragma: string): number {
  const row: unknown = database.prepare(`PRAGMA ${pragma}`).get();
  return Number((row as Record<string, unknown> | undefined)?.[pragma] ?? 0);
}
