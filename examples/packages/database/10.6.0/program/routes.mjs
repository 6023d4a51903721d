/** What the server answers: databases, their marks, tables and rows, and dumps. */
import { checkRow, checkTable, databaseOf, linesOf, tableOf } from './databases.mjs';
import { Refused } from './http.mjs';
import { version } from './version.mjs';

/** `change` makes a change and resolves when it is durable. */
export function routesOf(databases, change, dumps) {
  const find = ({ database, table }) => tableOf(databases, database, table);

  const mark = (at, { content: marks }) => {
    databaseOf(databases, at.database);
    return change({ op: 'mark', ...at, marks });
  };
  const shape = (at, { content: { columns, required = [] } }) => {
    const { tables } = databaseOf(databases, at.database);
    checkTable(tables.get(at.table)?.rows ?? [], { columns, required });
    return change({ op: 'table', ...at, columns, required });
  };
  const list = (at, { query }) => {
    const { limit = Number.POSITIVE_INFINITY, ...wanted } = Object.fromEntries(query);
    const isWanted = row => Object.entries(wanted).every(([column, value]) => String(row[column]) === value);
    return { rows: [...find(at).rows.values()].filter(isWanted).slice(0, Number(limit)) };
  };
  const get = at => {
    const row = find(at).rows.get(at.key);
    if (!row) throw new Refused(404, `no row ${at.key} in ${at.table}`);
    return row;
  };
  const put = (at, { content: row }) => {
    checkRow(find(at), row);
    return change({ op: 'put', ...at, row });
  };
  /** Changes columns of a row that is there: a row that somebody removed meanwhile does not come back. */
  const merge = (at, { content }) => {
    const row = { ...get(at), ...content };
    checkRow(find(at), row);
    return change({ op: 'put', ...at, row });
  };
  const remove = at => {
    find(at);
    return change({ op: 'delete', ...at });
  };
  const load = (at, { content: lines }) => {
    if (!lines[0]?.marks) throw new Refused(400, 'not a dump');
    return change({ op: 'load', ...at, lines });
  };

  return [
    ['GET', '/healthz', () => ({ ok: true })],
    ['GET', '/version', () => ({ version })],
    ['GET', '/databases', () => ({ databases: [...databases.keys()].sort() })],
    ['GET', '/databases/:database', at => summaryOf(databaseOf(databases, at.database))],
    ['PUT', '/databases/:database', at => change({ op: 'create', ...at })],
    ['DELETE', '/databases/:database', at => change({ op: 'drop', ...at })],
    ['PUT', '/databases/:database/marks', mark],
    ['PUT', '/databases/:database/tables/:table', shape],
    ['GET', '/databases/:database/tables/:table/rows', list],
    ['GET', '/databases/:database/tables/:table/rows/:key', get],
    ['PUT', '/databases/:database/tables/:table/rows/:key', put],
    ['PATCH', '/databases/:database/tables/:table/rows/:key', merge],
    ['DELETE', '/databases/:database/tables/:table/rows/:key', remove],
    ['GET', '/databases/:database/dump', at => asLines(linesOf(databaseOf(databases, at.database)))],
    ['PUT', '/databases/:database/dump', load],
    ['GET', '/dumps', async () => ({ dumps: await dumps.list() })],
    ['GET', '/dumps/:name', at => dumps.read(at.name)],
    ['PUT', '/dumps/:name', (at, { bytes }) => dumps.write(at.name, bytes)],
  ];
}

const asLines = lines => Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join(''));

const summaryOf = ({ marks, tables }) => ({
  marks,
  tables: Object.fromEntries(
    [...tables].map(([name, { columns, required, rows }]) => [name, { columns, required, rows: rows.size }]),
  ),
});
