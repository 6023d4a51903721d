import { label, moment, sentence } from './fields.ts';
import { flag, list, object, optional, text, type ValueOf } from './schema/schema.ts';

/** What was written into one table. */
export const tableLoss = object('One table.', {
  table: text('The table.', { max: 128, min: 1 }),
  says: text('What was written into it: `3 inserted, 1 deleted`.', { max: 256 }),
});

/** What a restore of one database drops: before it, what it would; after it, what it did. */
export const dataLoss = object('What a restore of one database drops.', {
  database: label('The database.'),
  toldAt: moment('When the database was asked.'),
  since: optional(moment('When the backup was taken that is restored.')),
  known: flag('Whether it can tell. Where it cannot, all that was written since the backup is at stake.'),
  tables: list('What was written since the backup, table by table; none where nothing was.', tableLoss, {
    max: 256,
  }),
  message: optional(sentence('Why it cannot be told, or how much more there is than fits here.')),
});

export type DataLoss = ValueOf<typeof dataLoss>;
export type TableLossText = ValueOf<typeof tableLoss>;
