/** Databases with marks, tables and rows, in memory; each change is a plain value that can be made again. */
import { Refused } from './http.mjs';

/** Makes one change. Asked for again, also when it is read back from the file, it gives the same end. */
export function apply(databases, change) {
  const { op, database } = change;
  if (op === 'create') databases.set(database, databases.get(database) ?? { marks: {}, tables: new Map() });
  else if (op === 'drop') databases.delete(database);
  else if (op === 'load') databases.set(database, contentOf(change.lines));
  else if (op === 'mark') Object.assign(databases.get(database).marks, change.marks);
  else if (op === 'table') {
    const { columns, required } = change;
    const rows = databases.get(database).tables.get(change.table)?.rows ?? new Map();
    databases.get(database).tables.set(change.table, { columns, required, rows });
  } else if (op === 'put') databases.get(database).tables.get(change.table).rows.set(change.key, change.row);
  else if (op === 'delete') databases.get(database).tables.get(change.table).rows.delete(change.key);
  else throw new TypeError(`no such change: ${op}`);
}

export function databaseOf(databases, name) {
  const database = databases.get(name);
  if (!database) throw new Refused(404, `no database ${name}`);
  return database;
}

export function tableOf(databases, name, table) {
  const found = databaseOf(databases, name).tables.get(table);
  if (!found) throw new Refused(404, `no table ${table} in ${name}`);
  return found;
}

/** Refuses a row that the table has no room for, or that lacks what every row must have. */
export function checkRow({ columns, required }, row) {
  const unknown = Object.keys(row).filter(column => !columns.includes(column));
  const missing = required.filter(column => row[column] === undefined);
  if (unknown.length > 0) throw new Refused(400, `no column ${unknown.join(', ')}`);
  if (missing.length > 0) throw new Refused(400, `a row needs ${missing.join(', ')}`);
}

/** Refuses a new shape of a table that rows which are there would break. */
export function checkTable(rows, { columns, required }) {
  for (const [key, row] of rows) {
    const lost = Object.keys(row).filter(column => !columns.includes(column));
    const missing = required.filter(column => row[column] === undefined);
    if (lost.length > 0) throw new Refused(409, `row ${key} has ${lost.join(', ')}`);
    if (missing.length > 0) throw new Refused(409, `row ${key} has no ${missing.join(', ')}`);
  }
}

/** A whole database as lines, in one order: the same content gives the same bytes. */
export function linesOf({ marks, tables }) {
  return [
    { marks },
    ...[...tables]
      .sort(byKey)
      .flatMap(([table, { columns, required, rows }]) => [
        { table, columns, required },
        ...[...rows].sort(byKey).map(([key, row]) => ({ table, key, row })),
      ]),
  ];
}

function contentOf([head, ...lines]) {
  const tables = new Map();
  for (const { table, columns, required, key, row } of lines) {
    if (columns) tables.set(table, { columns, required, rows: new Map() });
    else tables.get(table).rows.set(key, row);
  }
  return { marks: head.marks, tables };
}

const byKey = ([a], [b]) => (a < b ? -1 : Number(a > b));
