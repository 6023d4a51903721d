import type { Entry } from './write-ledger.ts';

/** Runs a query in Keystone's database: rows as lines, fields between tabs. */
export type RowsInSql = (query: string) => Promise<string>;

/** A row: what it says beside its key. */
export interface SqlRow {
  readonly text: string;
}

const most = 200;

/** The query for rows of one kind of thing: key first, then text. */
const queries: Readonly<Partial<Record<Entry['kind'], (ids: string) => string>>> = {
  user: ids => `SELECT id, IFNULL(extra, '') FROM user WHERE id IN (${ids})`,
  project: ids => `SELECT id, IFNULL(description, '') FROM project WHERE id IN (${ids})`,
  'application credential': ids =>
    `SELECT id, IFNULL(description, '') FROM application_credential WHERE id IN (${ids})`,
  'role assignment': ids =>
    `SELECT CONCAT_WS('/', actor_id, target_id, role_id), '' FROM assignment WHERE type = 'UserProject' AND actor_id IN (${ids})`,
};

/** The rows of things that were written, by id; of assignments by user, project and role. Those that are not there are left out. */
export async function readRows(
  readSql: RowsInSql,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, SqlRow>> {
  const rows = new Map<string, SqlRow>();
  for (const [kind, query] of Object.entries(queries)) {
    const ids = new Set(
      entries.filter(entry => entry.kind === kind).map(({ id, assigned }) => assigned?.[0] ?? id),
    );
    for (let left = [...ids]; left.length > 0; left = left.slice(most)) {
      const quoted = left.slice(0, most).map(id => `'${id.replaceAll(/[^\w-]/g, '')}'`);
      for (const line of (await readSql(query(quoted.join(', ')))).split('\n')) {
        const [key = '', ...text] = line.split('\t');
        if (key !== '') rows.set(key, { text: text.join('\t') });
      }
    }
  }
  return rows;
}
