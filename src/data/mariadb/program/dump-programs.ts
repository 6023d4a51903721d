import type { DatabaseFacts } from './database-facts.ts';
import { type MariadbAccess, runTool } from './mariadb-access.ts';
import { identifier, literal, type MariadbSession } from './mariadb-session.ts';

const words = ['--no-data', '--skip-lock-tables', '--skip-dump-date', '--default-character-set=utf8mb4'];

/** The SQL of what is no table: views, triggers, routines, events. It is put back after all rows. */
export async function dumpPrograms(
  access: MariadbAccess,
  database: string,
  { views }: Pick<DatabaseFacts, 'views'>,
): Promise<Buffer> {
  // Views first as empty ones, then as they are: mariadb-dump minds that one may stand on another, within one call.
  const viewText =
    views.length === 0
      ? ''
      : await runTool(access, 'mariadb-dump', [...words, '--skip-triggers', database, ...views]);
  const rest = ['--no-create-info', '--triggers', '--routines', '--events'];
  const programText = await runTool(access, 'mariadb-dump', [...words, ...rest, database]);
  return Buffer.from(viewText + programText, 'utf8');
}

/** Drops all views, triggers, routines and events of a database. Called again it drops what is left. */
export async function dropPrograms(session: MariadbSession, database: string): Promise<void> {
  await dropTriggers(session, database);
  const where = literal(database);
  const drops = await session.query(
    `SELECT 'VIEW', table_name FROM information_schema.views WHERE table_schema = ${where} UNION ALL SELECT routine_type, routine_name FROM information_schema.routines WHERE routine_schema = ${where} UNION ALL SELECT 'EVENT', event_name FROM information_schema.events WHERE event_schema = ${where}`,
  );
  for (const [kind, name = ''] of drops)
    await session.query(`DROP ${kind} IF EXISTS ${identifier(database)}.${identifier(name)}`);
}

/** Drops all triggers of a database: a table that has some cannot leave its schema. */
export async function dropTriggers(session: MariadbSession, database: string): Promise<void> {
  const triggers = await session.query(
    `SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = ${literal(database)}`,
  );
  for (const [name = ''] of triggers)
    await session.query(`DROP TRIGGER IF EXISTS ${identifier(database)}.${identifier(name)}`);
}
