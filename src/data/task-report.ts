import type { DataLoss, TableLossText } from '../api/data-loss.ts';
import type { Backup, SchemaState } from '../api/service-revision.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { DataReport, DataRun, DataVerb, TaskEnd } from './data.ts';

/** More tables than that no status holds. */
const mostTables = 256;

/** What every task on a database is told. */
export function envOf({ database, to, backup, needed = [] }: DataRun): Record<string, string> {
  return {
    AFLOAT_DATABASE: database.name,
    ...(to === undefined ? {} : { AFLOAT_SCHEMA: to }),
    ...(backup ? { AFLOAT_BACKUP_LOCATION: backup.location, AFLOAT_BACKUP_CHECKSUM: backup.checksum } : {}),
    ...(needed.length > 0 ? { AFLOAT_BACKUP_NEEDED: needed.join('\n') } : {}),
  };
}

/** What the task of a restore is told beside. Only where it is said: who forgets to say it must not lose anything. */
export function lossEnv({ keepsWrites }: DataRun): { AFLOAT_MAY_LOSE: 'yes' | 'no' } {
  return { AFLOAT_MAY_LOSE: keepsWrites === false ? 'yes' : 'no' };
}

/** What a task left, where that is JSON. */
export function resultOf({ result }: TaskEnd): JsonObject {
  if (result === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(result);
    return isObject(parsed) ? parsed : {};
  } catch {
    // A termination message for people says nothing to us; where we need one, its lack is told below.
    return {};
  }
}

/** A text that a task left, where it is one that a status can hold. */
export function textIn(result: JsonObject, field: string, longest: number): string | undefined {
  const value = result[field];
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** What became of a verb whose work is done, by what it left. */
export function reportOf(verb: DataVerb, run: DataRun, result: JsonObject): DataReport {
  const told = { state: 'done', reason: 'Done', message: `${verb} is done` } as const;
  if (verb === 'back-up') return backupOf(run, result);
  if (verb === 'verify') {
    return run.backup ? { ...told, backup: proved(run.backup, run.now, result) } : nothingToVerify(run);
  }
  if (verb === 'list-loss') return { ...told, ...lossIn(run, result) };
  const dropped = verb === 'restore' ? lossIn(run, result) : {};
  const schema = schemaAfter(verb, run, result);
  return { ...told, ...dropped, ...(schema ? { schema } : {}) };
}

/**
 * What a task says of what is lost: `tables`, and `message` where that is not all. Nothing where it does not say. Where a part of it
 * cannot be read, it is not known: a list with holes must not pass for a whole one.
 */
function lossIn({ database, now, backup }: DataRun, result: JsonObject): { loss?: DataLoss } {
  const { tables, message } = result;
  const said = typeof message === 'string' ? message : '';
  if (!Array.isArray(tables) && said === '') return {};
  const entries = Array.isArray(tables) ? tables : [];
  const told = entries.flatMap(entry => tableLossIn(entry) ?? []);
  const [unread, cut] = [entries.length - told.length, told.length - mostTables];
  const words = [
    ...(unread > 0 ? [`${unread} of ${entries.length} entries of the list cannot be read`] : []),
    ...(cut > 0 ? [`${cut} more tables do not fit here`] : []),
    ...(said === '' ? [] : [said]),
  ];
  const known = Array.isArray(tables) && unread === 0;
  return {
    loss: {
      ...{ database: database.name, toldAt: now, known, tables: told.slice(0, mostTables) },
      ...(backup ? { since: backup.takenAt } : {}),
      ...(words.length === 0 ? {} : { message: words.join('; ').slice(0, 1024) }),
    },
  };
}

function tableLossIn(entry: unknown): TableLossText | undefined {
  if (!isObject(entry)) return undefined;
  const [table, says] = [textIn(entry, 'table', 128), textIn(entry, 'says', 256)];
  return table === undefined || says === undefined ? undefined : { table, says };
}

function proved(backup: Backup, now: string, result: JsonObject): Backup {
  const proof = secondsIn(result);
  const { seconds } = backup;
  const took = seconds === undefined || proof === undefined ? {} : { seconds: seconds + proof };
  return { ...backup, ...took, verifiedAt: now };
}

/** How long a task says that it took, in whole seconds: it was never nothing. */
function secondsIn({ seconds }: JsonObject): number | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= 31536000 / 2)) return undefined;
  return Math.max(1, Math.ceil(seconds));
}

function backupOf({ database, now }: DataRun, result: JsonObject): DataReport {
  const { bytes } = result;
  const seconds = secondsIn(result);
  const location = textIn(result, 'location', 4096);
  const checksum = textIn(result, 'checksum', 128);
  if (location === undefined || checksum === undefined) {
    const message =
      'the backup task ended well but did not say where the backup is; it must leave {"location": ..., "checksum": ...} as its termination message';
    return { state: 'failed', reason: 'BackupUnknown', message };
  }
  const backup: Backup = {
    database: database.name,
    location,
    checksum,
    ...(typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? { bytes } : {}),
    ...(seconds === undefined ? {} : { seconds }),
    takenAt: now,
  };
  return { state: 'done', reason: 'Done', message: `backed up to ${location}`, backup };
}

function nothingToVerify({ database }: DataRun): DataReport {
  return {
    state: 'failed',
    reason: 'BackupUnknown',
    message: `there is no backup of ${database.name} to verify`,
  };
}

/** The schema a verb leaves: what the task itself says, else what it was meant to reach. */
function schemaAfter(
  verb: DataVerb,
  { database, to, before, backup }: DataRun,
  result: JsonObject,
): SchemaState | undefined {
  // A restored database has the schema of its backup, which may be expanded further than what is returned to needs.
  const meant =
    verb === 'restore' && backup?.expandedTo !== undefined ? backup : meantSchema(verb, to, before);
  if (!meant) return undefined;
  if (verb === 'drop') return { database: database.name };
  const expanded = textIn(result, 'expandedTo', 128) ?? meant.expandedTo;
  const contracted = textIn(result, 'contractedTo', 128) ?? meant.contractedTo;
  return {
    database: database.name,
    ...(expanded === undefined ? {} : { expandedTo: expanded }),
    ...(contracted === undefined ? {} : { contractedTo: contracted }),
  };
}

function meantSchema(
  verb: DataVerb,
  to: string | undefined,
  before: SchemaState | undefined,
): Partial<Pick<SchemaState, 'expandedTo' | 'contractedTo'>> | undefined {
  const { expandedTo, contractedTo } = before ?? {};
  const reached = to === undefined ? {} : { expandedTo: to, contractedTo: to };
  switch (verb) {
    case 'create':
    case 'migrate':
    case 'restore':
      return reached;
    case 'expand': {
      const left = contractedTo ?? expandedTo;
      return {
        ...(to === undefined ? {} : { expandedTo: to }),
        ...(left === undefined ? {} : { contractedTo: left }),
      };
    }
    case 'contract': {
      const all = expandedTo ?? to;
      return all === undefined ? {} : { expandedTo: all, contractedTo: all };
    }
    case 'drop':
      return {};
    default:
      return undefined;
  }
}
