import { clusterColumns } from './cluster-columns.ts';
import type { FilledColumn } from './column.ts';
import { networkColumns } from './network-columns.ts';
import { storageColumns } from './storage-columns.ts';
import { workloadColumns } from './workload-columns.ts';

/** The columns of built-in kinds by group and plural, as an API server prints them; kinds that are not here have the usual ones. */
export const builtinColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
  ...clusterColumns,
  ...networkColumns,
  ...storageColumns,
  ...workloadColumns,
};
