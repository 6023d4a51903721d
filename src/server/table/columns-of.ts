import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { builtinColumns } from './builtin-columns.ts';
import type { Cell, FilledColumn } from './column.ts';
import { nameColumn, usualColumns } from './column-parts.ts';
import { since } from './human-duration.ts';
import { jsonPath } from './json-path.ts';

const made = new WeakMap<ServedKind, readonly FilledColumn[]>();

/** The columns of a kind: those of an API server for a built-in one, else those of its definition. */
export function columnsOf(kind: ServedKind): readonly FilledColumn[] {
  const known = made.get(kind);
  if (known) return known;
  const columns = kind.definedBy
    ? definedColumns(kind.definedBy)
    : (builtinColumns[`${kind.group}/${kind.plural}`] ?? usualColumns);
  made.set(kind, columns);
  return columns;
}

const ageOnly = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function definedColumns({ additionalPrinterColumns: said }: JsonObject): readonly FilledColumn[] {
  const columns = Array.isArray(said) && said.length > 0 ? said.filter(isObject) : [ageOnly];
  return [nameColumn, ...columns.map(definedColumn)];
}

function definedColumn(said: JsonObject): FilledColumn {
  const type = String(said['type']);
  const path = String(said['jsonPath']);
  const find = jsonPath(path);
  return {
    name: String(said['name']),
    type,
    format: typeof said['format'] === 'string' ? said['format'] : '',
    description:
      typeof said['description'] === 'string'
        ? said['description']
        : `Custom resource definition column (in JSONPath format): ${path}`,
    priority: typeof said['priority'] === 'number' ? said['priority'] : 0,
    cell: (object, now) => cellOf(type, find(object)[0], now),
  };
}

function cellOf(type: string, value: Json | undefined, now: number): Cell {
  if (value === undefined || value === null) return null;
  if (type === 'date') return typeof value === 'string' ? since(value, now) : null;
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'number') return null;
  return type === 'integer' ? Math.trunc(value) : value;
}
