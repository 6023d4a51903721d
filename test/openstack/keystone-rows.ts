/** Every row of Keystone's database, to be compared: as it is, and as a backup has it. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findMariadb } from '../../scripts/openstack/find-mariadb.ts';
import type { Backup } from '../../src/api/service-revision.ts';
import { parseKey } from '../../src/data/mariadb/program/encrypted-stream.ts';
import { openAccess, runTool } from '../../src/data/mariadb/program/mariadb-access.ts';
import { loadSql, readBackup } from '../../src/data/mariadb/program/read-backup.ts';
import { startThrowAwayServer } from '../../src/data/mariadb/program/throw-away-server.ts';
import { openRecord } from '../../src/data/mariadb/program/verify-backup.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { keystoneSql } from './keystone-world.ts';
import type { RowsInSql } from './load/sql-rows.ts';

/** Rows by table, each as a line, in an order that does not depend on where they lie. */
export type Rows = Readonly<Record<string, readonly string[]>>;

const mark = '--- table ';

/** Every row of a schema on the server that serves: Keystone's own unless told. */
export function keystoneRows(world: JourneyWorld, schema = 'keystone'): Promise<Rows> {
  return rowsOf(query => keystoneSql(world, query), schema);
}

/** Every row that a backup has: it is opened, and loaded into a server that is there for this alone. */
export async function backupRows(world: JourneyWorld, { location, checksum }: Backup): Promise<Rows> {
  const { environment: found } = await findMariadb();
  const environment = { ...process.env, ...found };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: world.namespace,
    name: 'keystone-backup-key',
  };
  const { data } = (await world.cluster.get(secret)) as unknown as { data: { key: string } };
  const key = parseKey(Buffer.from(data.key, 'base64'));
  const file = backupFile(world, location);
  const record = await openRecord({ file, checksum, key });
  const server = await startThrowAwayServer({ environment });
  try {
    const access = await openAccess(server.target, environment);
    try {
      const sql = (text: string) => runTool(access, 'mariadb', ['--batch', '--skip-column-names'], text);
      await sql(`CREATE DATABASE keystone CHARACTER SET ${record.charset} COLLATE ${record.collation}`);
      await loadSql(access, 'keystone', readBackup(file, record, key).tables);
      return await rowsOf(sql, 'keystone');
    } finally {
      await access.close();
    }
  } finally {
    await server.remove();
  }
}

/** Rows of before that are not there any more, but for when a user was last seen, which the newer release notes at every login. */
export function missingRows(before: Rows, after: Rows): Record<string, readonly string[]> {
  const rowsOf = (rows: Rows, table: string) =>
    (rows[table] ?? []).map(row => (table === 'user' ? row.split('\t').toSpliced(5, 1).join('\t') : row));
  const missing = Object.keys(before).map(table => {
    const there = new Set(rowsOf(after, table));
    return [table, rowsOf(before, table).filter(row => !there.has(row))] as const;
  });
  return Object.fromEntries(missing.filter(([, rows]) => rows.length > 0));
}

/** Where a backup lies: in the folder of a volume claim. */
function backupFile(world: JourneyWorld, location: string): string {
  const name = basename(location);
  const found = readdirSync(join(world.folder, 'state'), { recursive: true, withFileTypes: true }).find(
    entry => entry.isFile() && entry.name === name,
  );
  if (!found) throw new TypeError(`the backup ${name} is nowhere`);
  return join(found.parentPath, name);
}

async function rowsOf(sql: RowsInSql, schema: string): Promise<Rows> {
  const listed = await sql(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const tables = listed.split('\n').filter(name => name !== '');
  const text = await sql(
    tables.map(table => `SELECT '${mark}${table}'; SELECT * FROM \`${schema}\`.\`${table}\`;`).join('\n'),
  );
  const rows: Record<string, string[]> = {};
  let table = '';
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith(mark)) {
      table = line.slice(mark.length);
      rows[table] = [];
    } else rows[table]?.push(line);
  }
  for (const lines of Object.values(rows)) lines.sort();
  return rows;
}
