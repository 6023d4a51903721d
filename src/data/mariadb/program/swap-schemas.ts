import { CodedError } from '../../../base/coded-error.ts';
import type { BackupRecord } from './backup-record.ts';
import { readFacts } from './database-facts.ts';
import type { MariadbAccess } from './mariadb-access.ts';
import { identifier, literal, type MariadbSession, withSession } from './mariadb-session.ts';

/** A schema with this table in it was made by a restore that is under way; it moves with the other tables. */
const marker = 'afloat_restoring';
/** A schema with this table in it was left by a restore that is over. It holds the SQL of the programs that were there. */
const keptMarker = 'afloat_kept';
/** How long a swap waits for somebody who holds a table. */
const lockSeconds = 5;

/** The schemas of a restore. */
export interface Schemas {
  readonly database: string;
  /** Where the backup comes in. */
  readonly fresh: string;
  /** Where what was there goes. */
  readonly old: string;
}

/** What changes places. */
export interface Swap {
  readonly tables: readonly string[];
  readonly back: readonly string[];
}

/** The schemas of a restore of one database. */
export function schemasOf({ database }: Pick<BackupRecord, 'database'>): Schemas {
  const schemas = { database, fresh: `${database}__afloat_new`, old: `${database}__afloat_old` };
  if (schemas.fresh.length > 64)
    throw new CodedError('DatabaseUnsupported', `the name ${database} is too long for a schema beside it`);
  return schemas;
}

/** Whether the tables have changed places, and the restore is not over yet. */
export function isSwapped(session: MariadbSession, { old }: Schemas): Promise<boolean> {
  return has(session, old, marker);
}

/** An empty schema for what comes in, and one for what goes out. Removes what earlier restores left there, and nothing else. */
export async function prepareFresh(
  session: MariadbSession,
  { fresh, old }: Schemas,
  { charset, collation }: BackupRecord,
): Promise<void> {
  // The old one first: programs kept there count as long as the fresh one is there.
  for (const schema of [old, fresh]) {
    await removeOurs(session, schema);
    await session.query(
      `CREATE DATABASE ${identifier(schema)} CHARACTER SET ${charset} COLLATE ${collation}`,
    );
    const name = schema === fresh ? marker : keptMarker;
    await session.query(`CREATE TABLE ${identifier(schema)}.${name} (programs LONGBLOB) ENGINE=InnoDB`);
  }
}

async function removeOurs(session: MariadbSession, schema: string): Promise<void> {
  const tables = await session.value(
    `SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ${literal(schema)}`,
  );
  const isOurs =
    tables === '0' || (await has(session, schema, marker)) || (await has(session, schema, keptMarker));
  if (!isOurs)
    throw new CodedError(
      'DatabaseUnsupported',
      `there is a schema ${schema} that no restore made; move it away`,
    );
  await session.query(`DROP DATABASE IF EXISTS ${identifier(schema)}`);
}

/** All tables change places in one statement. */
export async function swap(
  access: MariadbAccess,
  { database, fresh, old }: Schemas,
  { tables, back }: Swap,
): Promise<void> {
  await renameAll(access, [
    ...tables.map(name => [database, old, name] as const),
    ...back.map(name => [fresh, database, name] as const),
    [fresh, old, marker],
  ]);
}

/** The opposite of `swap`. */
export async function swapBack(
  access: MariadbAccess,
  { database, fresh, old }: Schemas,
  { tables, back }: Swap,
): Promise<void> {
  await renameAll(access, [
    ...back.map(name => [database, fresh, name] as const),
    ...tables.map(name => [old, database, name] as const),
    [old, fresh, marker],
  ]);
}

async function renameAll(
  access: MariadbAccess,
  moves: readonly (readonly [from: string, to: string, name: string])[],
): Promise<void> {
  const texts = moves.map(
    ([from, to, name]) => `${identifier(from)}.${identifier(name)} TO ${identifier(to)}.${identifier(name)}`,
  );
  // A connection of its own: one that waited in vain is no more use.
  await withSession(access, undefined, async session => {
    await session.query(`SET SESSION lock_wait_timeout = ${lockSeconds}`);
    await session.query(`RENAME TABLE ${texts.join(', ')}`);
  });
}

/** Writes down the programs of the database before any of them is touched. */
export async function keepPrograms(
  session: MariadbSession,
  { old }: Schemas,
  programs: Buffer,
): Promise<void> {
  await session.query(`INSERT INTO ${identifier(old)}.${keptMarker} VALUES (x'${programs.toString('hex')}')`);
}

/** The programs that a restore which was cut off before its swap may have taken away. */
export async function programsToPutBack(
  session: MariadbSession,
  schemas: Schemas,
): Promise<Buffer | undefined> {
  return (await has(session, schemas.fresh, marker)) ? keptPrograms(session, schemas) : undefined;
}

/** The programs that were written down. */
export async function keptPrograms(session: MariadbSession, { old }: Schemas): Promise<Buffer | undefined> {
  if (!(await has(session, old, keptMarker))) return undefined;
  const hex = await session.value(`SELECT HEX(programs) FROM ${identifier(old)}.${keptMarker}`);
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** The tables that were there before. */
export async function tablesKept(session: MariadbSession, { old }: Schemas): Promise<string[]> {
  const { tables } = await readFacts(session, old);
  return tables.filter(name => name !== marker && name !== keptMarker);
}

/** The restore is over: its mark goes, the schema it came in through goes, and what was there before stays. */
export async function markKept(session: MariadbSession, { fresh, old }: Schemas): Promise<void> {
  await session.query(`DROP DATABASE IF EXISTS ${identifier(fresh)}`);
  await session.query(`DROP TABLE IF EXISTS ${identifier(old)}.${marker}`);
}

async function has(session: MariadbSession, schema: string, table: string): Promise<boolean> {
  const found = await session.value(
    `SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ${literal(schema)} AND table_name = ${literal(table)}`,
  );
  return found === '1';
}
