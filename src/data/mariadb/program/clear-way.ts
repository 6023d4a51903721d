import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../../base/coded-error.ts';
import { digestJson } from '../../../base/digest.ts';
import { literal, type MariadbSession } from './mariadb-session.ts';

/** A transaction that is younger than this is somebody's ordinary work, which a schema change waits for. */
const oldSeconds = 2;

/**
 * Waits until no transaction that began long ago is open in the server, so that a schema change would not wait behind it, with all clients
 * behind the change. Which tables one holds is not told, only the database that its connection is in: one that is in none may hold any.
 * Fails with `DatabaseBusy`, and names the connections, where that takes longer than it may.
 */
export async function clearWay(session: MariadbSession, database: string, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const who = await longTransactions(session, database);
    if (who.length === 0) return;
    if (performance.now() > deadline)
      throw new CodedError('DatabaseBusy', `tables of ${database} may be held by ${who.join('; ')}`, {
        details: { who },
      });
    await sleep(250);
  }
}

async function longTransactions(session: MariadbSession, database: string): Promise<string[]> {
  const rows = await session.query(
    `SELECT p.id, p.user, p.host, t.trx_started FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE (p.db = ${literal(database)} OR p.db IS NULL) AND p.id <> CONNECTION_ID() AND t.trx_started < NOW() - INTERVAL ${oldSeconds} SECOND ORDER BY p.id`,
  );
  return rows.map(
    ([id, user, host, since]) => `connection ${id} of ${user}@${host}, transaction open since ${since}`,
  );
}

/** A digest over all columns, indexes and keys of a database: two that are the same have the same schema. */
export async function schemaDigest(session: MariadbSession, database: string): Promise<string> {
  const where = literal(database);
  const parts = [
    `SELECT table_name, column_name, ordinal_position, column_type, is_nullable, IFNULL(column_default, ''), extra, IFNULL(collation_name, ''), IFNULL(generation_expression, '') FROM information_schema.columns WHERE table_schema = ${where} ORDER BY BINARY table_name, ordinal_position`,
    `SELECT table_name, index_name, seq_in_index, column_name, non_unique, IFNULL(sub_part, '') FROM information_schema.statistics WHERE table_schema = ${where} ORDER BY BINARY table_name, BINARY index_name, seq_in_index`,
    `SELECT constraint_name, table_name, referenced_table_name, update_rule, delete_rule FROM information_schema.referential_constraints WHERE constraint_schema = ${where} ORDER BY BINARY table_name, BINARY constraint_name`,
  ];
  const found: string[][][] = [];
  for (const part of parts) found.push(await session.query(part));
  return digestJson(found);
}
