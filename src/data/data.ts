/**
 * Data: what is done to one database of a service.
 *
 * In: a verb, the database, and what is known of its backup. Out: `DataReport`. Never: decides whether a restore may lose what clients
 * wrote; touches a database that no verb names.
 */
import type { DataLoss } from '../api/data-loss.ts';
import type { LifecycleDatabase } from '../api/package-lifecycle.ts';
import type { Backup, SchemaState } from '../api/service-revision.ts';

export type DataVerb =
  | 'create'
  | 'estimate' // what a backup would take now, and whether there is room for it; changes nothing
  | 'back-up'
  | 'verify'
  | 'expand'
  | 'migrate'
  | 'move-rows'
  | 'contract'
  | 'list-loss' // what a restore would drop now; changes nothing
  | 'restore'
  | 'drop';

/** What a task that ran to its end left behind. */
export interface TaskEnd {
  readonly state: 'running' | 'done' | 'failed';
  readonly reason: string;
  readonly message: string;
  /** Its termination message. */
  readonly result?: string;
}

/**
 * Runs a task of the package, by its reference (`job/db-expand`), with these variables; called again it tells of the same run. Runs of
 * one task in one phase are told apart by their key.
 */
export type RunTask = (
  reference: string,
  env: Readonly<Record<string, string>>,
  key?: string,
) => Promise<TaskEnd>;

export interface DataRun {
  readonly database: LifecycleDatabase;
  /** The schema it shall have afterwards. */
  readonly to?: string;
  /** The schema it has, as far as is known. */
  readonly before?: SchemaState;
  /** The backup that is verified or restored. */
  readonly backup?: Backup;
  /** Where other backups of it are that somebody will still want: whoever makes room leaves them. */
  readonly needed?: readonly string[];
  /**
   * A restore that would drop what was written since the backup is refused: clients could write, and nobody consented. Only an explicit
   * `false` lets it be dropped: nobody but migrations could write, or a person consented.
   */
  readonly keepsWrites?: boolean;
  /** The moment of this run, for what it writes down. RFC 3339. */
  readonly now: string;
  readonly runTask: RunTask;
}

/** What became of a verb. A report that is not `done` is asked for again. */
export interface DataReport {
  readonly state: 'running' | 'done' | 'failed';
  readonly reason: string;
  readonly message: string;
  readonly backup?: Backup;
  readonly schema?: SchemaState;
  /** What a restore would drop (`list-loss`) or dropped (`restore`); absent where the driver knows nothing of it. */
  readonly loss?: DataLoss;
}

/** One kind of database. */
export interface DataDriver {
  run(verb: DataVerb, run: DataRun): Promise<DataReport>;
}
