import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'libsql';
import type { CodedError } from '../../../base/coded-error.ts';
import { Acknowledged } from './acknowledged.ts';
import { Committer } from './committer.ts';
import type { Migration } from './migrations.ts';
import { closeDatabase, damaged, keepLog, keptLogName, openDatabase, whyNotOpened } from './open-database.ts';
import { type ReadRevision, type ReadRow, type RevisionRow, revisionOf } from './revision.ts';

/** So many rows go into one statement at most: a call into the library costs as much as a row. */
const rowsAtOnce = 64;

/**
 * As bytes: where text should be and is none, after damage, libsql would end the process instead of saying so. All of it in one piece: each
 * one costs as much as it takes to check it.
 */
const readRows = `
  SELECT version, CAST(change AS INTEGER), CAST(time AS INTEGER), CAST(checksum AS INTEGER),
    length(CAST(kind AS BLOB)), length(CAST(place AS BLOB)), CAST(kind || place || body AS BLOB)
  FROM revision ORDER BY version`;

/** The durable truth: rows of revisions in one SQLite file, and the number of the last one that was acknowledged. */
export class RevisionFile {
  readonly folder: string;
  readonly #database: Database.Database;
  readonly #acknowledged: Acknowledged;
  readonly #committer: Committer;
  /** By how many rows they write. */
  readonly #inserts = new Map<number, Database.Statement>();
  #closed = false;

  private constructor(folder: string, database: Database.Database) {
    this.folder = folder;
    this.#database = database;
    this.#acknowledged = Acknowledged.open(folder);
    this.#committer = new Committer(database);
  }

  static open(folder: string, more: { maxPages?: number; steps?: readonly Migration[] } = {}): RevisionFile {
    const hasKept = keepLog(folder);
    let database: Database.Database | undefined;
    try {
      database = openDatabase(folder, more);
      return new RevisionFile(folder, database);
    } catch (error) {
      if (database) closeDatabase(database);
      const why = whyNotOpened(error, folder);
      // The log of a process that runs is not ours to keep.
      if (hasKept && why.code === 'StoreHeld') rmSync(join(folder, keptLogName), { force: true });
      throw why;
    }
  }

  /** Up to which version the history was thrown away. */
  compacted(): number {
    const row = this.#database.prepare('SELECT version FROM compaction').get() as
      | { version: number }
      | undefined;
    return row?.version ?? 0;
  }

  /** Every revision in order, each checked. Throws `StoreDamaged` for one that is not what was written, or that is missing. */
  *revisions(): Generator<ReadRevision> {
    let last = 0;
    const rows = this.#database.prepare(readRows).raw().iterate();
    for (const row of rows as Iterable<ReadRow>) {
      const revision = revisionOf(row);
      if (!revision) throw this.#damage(`version ${row[0]} is not what was written`);
      last = revision.version;
      yield revision;
    }
    const acknowledged = Acknowledged.read(this.folder);
    if (acknowledged > Math.max(last, this.compacted())) {
      throw this.#damage(
        `writes up to version ${acknowledged} were acknowledged, but the last one in it is ${last}`,
      );
    }
    rmSync(join(this.folder, keptLogName), { force: true });
  }

  /**
   * Writes all rows or none, durably: at once, or aside, and then the answer is a promise and nothing else may be asked of the file
   * until it is kept. Throws, or the promise does, what kept them from being written.
   */
  append(rows: readonly RevisionRow[]): Promise<void> | undefined {
    const last = rows.at(-1)?.[0] ?? 0;
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (let next = 0; next < rows.length; next += rowsAtOnce)
        this.#insert(rows.slice(next, next + rowsAtOnce));
      const aside = this.#committer.commit();
      if (aside) return this.#finish(aside, last);
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    this.#acknowledged.write(last);
    return undefined;
  }

  async #finish(commit: Promise<void>, last: number): Promise<void> {
    try {
      await commit;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    this.#acknowledged.write(last);
  }

  #insert(rows: readonly RevisionRow[]): void {
    const values: unknown[] = [];
    for (const row of rows) for (const value of row) values.push(value);
    this.#insertOf(rows.length).run(values);
  }

  #insertOf(count: number): Database.Statement {
    const known = this.#inserts.get(count);
    if (known) return known;
    const rows = Array(count).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ');
    const statement = this.#database.prepare(`INSERT INTO revision VALUES ${rows}`);
    this.#inserts.set(count, statement);
    return statement;
  }

  /** Forgets these versions, and that anything up to `version` can be told. */
  compact(version: number, forgotten: readonly number[]): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#database
        .prepare('DELETE FROM revision WHERE version IN (SELECT value FROM json_each(?))')
        .run([JSON.stringify(forgotten)]);
      this.#database.prepare('UPDATE compaction SET version = ?').run([version]);
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#acknowledged.close();
    closeDatabase(this.#database);
  }

  #rollBack(): void {
    // A full disk makes SQLite roll back by itself.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  #damage(what: string): CodedError {
    return damaged(this.folder, what);
  }
}
