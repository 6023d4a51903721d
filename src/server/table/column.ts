import type { JsonObject } from '../../base/json.ts';

/** What a table has in one place. */
export type Cell = string | number | boolean | null;

/** A column of a table, as a server describes it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; more: only in a wide table. */
  readonly priority: number;
}

/** A column with what it says of an object. */
export interface FilledColumn extends Column {
  readonly cell: (object: JsonObject, now: number) => Cell;
}
