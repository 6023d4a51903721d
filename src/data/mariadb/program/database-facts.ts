import { CodedError } from '../../../base/coded-error.ts';
import { identifier, literal, type MariadbSession } from './mariadb-session.ts';

/** A place in the binary log of a server. */
export interface LogPosition {
  readonly file: string;
  readonly position: number;
  readonly gtid?: string;
}

/** What a database is made of. */
export interface DatabaseFacts {
  readonly charset: string;
  readonly collation: string;
  readonly tables: readonly string[];
  readonly views: readonly string[];
  /** Bytes of rows, and of rows and indexes, as the server guesses them. */
  readonly rowBytes: number;
  readonly allBytes: number;
}

/** One table, as it must be again: how many rows, and MariaDB's own checksum over them. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  readonly checksum: string;
}

/** What a database is made of. Fails where it is not there. */
export async function readFacts(session: MariadbSession, database: string): Promise<DatabaseFacts> {
  const [found] = await session.query(
    `SELECT default_character_set_name, default_collation_name FROM information_schema.schemata WHERE schema_name = ${literal(database)}`,
  );
  if (!found) throw new CodedError('DatabaseAbsent', `the server has no database ${database}`);
  const rows = await session.query(
    `SELECT table_name, table_type, IFNULL(engine, ''), IFNULL(data_length, 0), IFNULL(index_length, 0) FROM information_schema.tables WHERE table_schema = ${literal(database)} ORDER BY BINARY table_name`,
  );
  const tables = rows.filter(([, type]) => type !== 'VIEW');
  const sum = (column: number) => tables.reduce((all, row) => all + Number(row[column] ?? 0), 0);
  return {
    charset: found[0] ?? '',
    collation: found[1] ?? '',
    tables: tables.map(([name = '']) => name),
    views: rows.filter(([, type]) => type === 'VIEW').map(([name = '']) => name),
    rowBytes: sum(3),
    allBytes: sum(3) + sum(4),
  };
}

/** Refuses what no snapshot holds: tables of other engines than InnoDB, sequences, tables that keep their history. */
export async function refuseUnsupported(session: MariadbSession, database: string): Promise<void> {
  const rows = await session.query(
    `SELECT table_name, table_type, IFNULL(engine, '') FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_type <> 'VIEW' AND NOT (table_type = 'BASE TABLE' AND engine = 'InnoDB') ORDER BY BINARY table_name`,
  );
  if (rows.length === 0) return;
  const names = rows.map(([name, type, engine]) => `${name} (${type?.toLowerCase()}, ${engine})`);
  throw new CodedError('DatabaseUnsupported', `no consistent copy can be taken of ${names.join(', ')}`, {
    details: { tables: rows.map(([name]) => name) },
  });
}

/** Rows and checksum of every table in the transaction of this connection, without keeping tables from being changed. */
export async function sumTables(
  session: MariadbSession,
  database: string,
  tables: readonly string[],
): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  for (const name of tables) {
    const table = `${identifier(database)}.${identifier(name)}`;
    await session.query('SAVEPOINT afloat');
    const checksum = (await session.query(`CHECKSUM TABLE ${table} EXTENDED`))[0]?.[1] ?? 'NULL';
    if (checksum === 'NULL') throw new CodedError('DatabaseRefused', `table ${name} cannot be read`);
    const rows = Number(await session.value(`SELECT COUNT(*) FROM ${table}`));
    await session.query('ROLLBACK TO SAVEPOINT afloat');
    sums.push({ name, rows, checksum });
  }
  return sums;
}

/** Rows and checksum of every table as they are now. */
export async function sumTablesNow(
  session: MariadbSession,
  database: string,
  tables: readonly string[],
): Promise<TableSum[]> {
  await session.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  const sums = await sumTables(session, database, tables);
  await session.query('ROLLBACK');
  return sums;
}

/** In what two sets of tables differ, for people; nothing where they are the same. */
export function differences(want: readonly TableSum[], have: readonly TableSum[]): string[] {
  const found = new Map(have.map(sum => [sum.name, sum]));
  const known = new Set(want.map(({ name }) => name));
  const wrong = want.flatMap(({ name, rows, checksum }) => {
    const other = found.get(name);
    if (!other) return [`${name} is missing`];
    if (other.rows !== rows) return [`${name} has ${other.rows} rows instead of ${rows}`];
    return other.checksum === checksum ? [] : [`${name} has other rows`];
  });
  const more = have.filter(({ name }) => !known.has(name)).map(({ name }) => `${name} is not of the backup`);
  return [...wrong, ...more];
}

/** Where the binary log of the server ends now; undefined where it keeps none. */
export async function logEnd(session: MariadbSession): Promise<LogPosition | undefined> {
  const [row] = await session.query('SHOW MASTER STATUS');
  return row ? withGtid(session, { file: row[0] ?? '', position: Number(row[1]) }) : undefined;
}

/** The same place, with what other servers know it by. */
export async function withGtid(session: MariadbSession, place: LogPosition): Promise<LogPosition> {
  const gtid = await session.value(`SELECT BINLOG_GTID_POS(${literal(place.file)}, ${place.position})`);
  return gtid === undefined || gtid === '' || gtid === 'NULL' ? place : { ...place, gtid };
}

/** Who has work under way in a database: connections with a transaction that wrote or read, and statements that run. */
export async function workUnderWay(session: MariadbSession, database: string): Promise<string[]> {
  const rows = await session.query(
    `SELECT p.id, p.user, p.host, IFNULL(t.trx_started, ''), IFNULL(LEFT(p.info, 80), '') FROM information_schema.processlist p LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id WHERE p.db = ${literal(database)} AND p.id <> CONNECTION_ID() AND (t.trx_id IS NOT NULL OR p.command NOT IN ('Sleep', 'Daemon', 'Killed')) ORDER BY p.id`,
  );
  return rows.map(([id, user, host, since]) => {
    const open = since ? `, transaction open since ${since}` : '';
    return `connection ${id} of ${user}@${host}${open}`;
  });
}
