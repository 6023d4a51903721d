import type { DataLoss } from '../api/data-loss.ts';
import { sayMoment } from './moments.ts';

/** What a restore would drop, a line a table: what a person must read before the word is given. */
export function sayLosses(losses: readonly DataLoss[], now: string): string[] {
  return losses.flatMap(({ database, known, tables, message, toldAt }) => [
    ...(known && tables.length === 0
      ? [`${database}: nothing was written since the backup, as of ${sayMoment(toldAt, now)}`]
      : []),
    ...(tables.length > 0 ? [`${database}: written since the backup, as of ${sayMoment(toldAt, now)}`] : []),
    ...tables.map(({ table, says }) => `    ${table}: ${says}`),
    ...(message === undefined ? [] : [tables.length > 0 ? `    ${message}` : `${database}: ${message}`]),
  ]);
}
