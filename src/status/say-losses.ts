import type { DataLoss } from '../api/data-loss.ts';
import { sayMoment } from './moments.ts';

/** What a restore would drop, a line a table: what a person must read before the word is given. */
export function sayLosses(losses: readonly DataLoss[], now: string): string[] {
  return losses.flatMap(loss => {
    const { database, known, tables, message, toldAt } = loss;
    const since = `${sayBackup(loss, now)}, as of ${sayMoment(toldAt, now)}`;
    return [
      ...(known && tables.length === 0 ? [`${database}: nothing was written since ${since}`] : []),
      ...(tables.length > 0 ? [`${database}: written since ${since}`] : []),
      ...tables.map(({ table, says }) => `    ${table}: ${says}`),
      ...(message === undefined ? [] : [tables.length > 0 ? `    ${message}` : `${database}: ${message}`]),
    ];
  });
}

function sayBackup({ since }: DataLoss, now: string): string {
  return since === undefined ? 'the backup' : `the backup of ${sayMoment(since, now)}`;
}
