import type { JsonObject } from '../../base/json.ts';
import type { FilledColumn } from './column.ts';
import { since } from './human-duration.ts';
import { fieldAt, numberAt, textAt } from './read-field.ts';

/** What fills the cell of a column. */
export type Fill = FilledColumn['cell'];

/** What stands for nothing. */
export const none = '<none>';

/** A column of text. */
export function column(name: string, cell: Fill, more: Partial<FilledColumn> = {}): FilledColumn {
  return { name, type: 'string', format: '', description: '', priority: 0, cell, ...more };
}

/** A column of numbers. */
export function count(name: string, cell: Fill): FilledColumn {
  return column(name, cell, { type: 'integer' });
}

/** Only in a wide table. */
export function wide(name: string, cell: Fill): FilledColumn {
  return column(name, cell, { priority: 1 });
}

/** A field as text. */
export const text =
  (path: string, otherwise = '') =>
  (object: JsonObject) =>
    textAt(object, path, otherwise);

/** A field as a number, 0 where it is missing. */
export const number = (path: string) => (object: JsonObject) => numberAt(object, path);

/** The first column of every table. */
export const nameColumn = column('Name', text('metadata.name'), { format: 'name' });

/** How long ago the object was made. */
export const age = column('Age', (object, now) => since(fieldAt(object, 'metadata.creationTimestamp'), now));

/** What is shown of a kind that nobody wrote columns for. */
export const usualColumns: readonly FilledColumn[] = [
  nameColumn,
  column('Created At', text('metadata.creationTimestamp'), { type: 'date' }),
];
