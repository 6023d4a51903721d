import { CodedError } from '../../../base/coded-error.ts';
import type { MariadbAccess } from './mariadb-access.ts';
import { identifier, literal, type MariadbSession, withSession } from './mariadb-session.ts';
import { Progress } from './progress.ts';
import { loadSql, readBackup } from './read-backup.ts';
import { type BackupToRead, openRecord } from './verify-backup.ts';

/** The schema in which a migration is tried. */
export function copyOf(database: string): string {
  return `${database}__afloat_copy`;
}

/** Brings a backup back as a schema of its own, with the rights that the database has, so that a migration can be tried on it. */
export async function makeCopy(
  access: MariadbAccess,
  database: string,
  backup: BackupToRead,
): Promise<string> {
  const record = await openRecord(backup);
  const copy = copyOf(database);
  await withSession(access, undefined, async session => {
    await dropCopy(session, database);
    const { charset, collation } = record;
    await session.query(`CREATE DATABASE ${identifier(copy)} CHARACTER SET ${charset} COLLATE ${collation}`);
    for (const grant of await grantsOn(session, database))
      await session.query(grant.replace(` ON ${identifier(database)}.*`, ` ON ${identifier(copy)}.*`));
  });
  const { tables, programs } = readBackup(backup.file, record, backup.key);
  const progress = new Progress(backup.say, 'copy', record.textBytes);
  await loadSql(access, copy, progress.count(tables));
  await loadSql(access, copy, progress.count(programs));
  return copy;
}

/** Removes the copy and the rights on it. Nobody else makes a schema of that name. */
export async function dropCopy(session: MariadbSession, database: string): Promise<void> {
  const copy = copyOf(database);
  if (copy.length > 64)
    throw new CodedError('DatabaseUnsupported', `the name ${database} is too long for a schema beside it`);
  for (const grant of await grantsOn(session, copy)) {
    const [, to] = / TO (.+?)(?: WITH .*)?$/.exec(grant) ?? [];
    if (to !== undefined) await session.query(`REVOKE ALL PRIVILEGES ON ${identifier(copy)}.* FROM ${to}`);
  }
  await session.query(`DROP DATABASE IF EXISTS ${identifier(copy)}`);
}

/** What accounts may do in one schema as a whole, as statements. */
async function grantsOn(session: MariadbSession, schema: string): Promise<string[]> {
  const accounts = await session.query(
    `SELECT DISTINCT grantee FROM information_schema.schema_privileges WHERE REPLACE(table_schema, '\\\\', '') = ${literal(schema)} ORDER BY 1`,
  );
  const grants: string[] = [];
  for (const [grantee = ''] of accounts) {
    const rows = await session.query(`SHOW GRANTS FOR ${grantee}`);
    grants.push(
      ...rows.map(([text = '']) => text).filter(text => text.includes(` ON ${identifier(schema)}.* `)),
    );
  }
  return grants;
}
