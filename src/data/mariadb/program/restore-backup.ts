import { Readable } from 'node:stream';
import { CodedError } from '../../../base/coded-error.ts';
import { type BackupRecord, writeRecord } from './backup-record.ts';
import { logEnd, readFacts, sumTablesNow, workUnderWay } from './database-facts.ts';
import { dropPrograms, dropTriggers, dumpPrograms } from './dump-programs.ts';
import { type Loss, listLoss, losesSomething, lossText } from './list-loss.ts';
import type { MariadbAccess } from './mariadb-access.ts';
import { identifier, literal, type MariadbSession, withSession } from './mariadb-session.ts';
import { Progress } from './progress.ts';
import { loadSql, readBackup } from './read-backup.ts';
import {
  isSwapped,
  keepPrograms,
  keptPrograms,
  markKept,
  prepareFresh,
  programsToPutBack,
  type Schemas,
  schemasOf,
  swap,
  swapBack,
  tablesKept,
} from './swap-schemas.ts';
import { type BackupToRead, compare, openRecord } from './verify-backup.ts';

/** A backup that shall be what the database holds. */
export interface RestoreRequest extends BackupToRead {
  readonly access: MariadbAccess;
  /** Whether what clients wrote since may be lost: somebody consented, or no client could write. */
  readonly mayLose: boolean;
}

/** What a restore dropped; undefined where the log could not tell. */
export interface Restored {
  readonly record: BackupRecord;
  readonly lost: Loss | undefined;
  /** The schema that holds what was there before. */
  readonly kept: string;
}

/**
 * Brings a backup back: into a schema beside the database, where it is held to the backup's checksums, and then all tables change
 * places in one statement. Views, triggers, routines and events follow; a cut in between is seen by a mark that moved with the tables,
 * and the next call goes on from there. What was there before stays in a schema of its own until the next restore.
 *
 * Refuses, with nothing touched, while somebody works in the database (`DatabaseInUse`), and where something would be lost that may not
 * be (`LossNotAccepted`); also where that was written in the last moment, which takes the swap back.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { file, key, access } = request;
  const record = await openRecord(request);
  const schemas = schemasOf(record);
  const { lost, position } = await withSession(access, undefined, async session => {
    const restore = { request, record, schemas, session };
    const brought = (await isSwapped(session, schemas))
      ? { lost: await settle(restore), programs: await programsOf(request, record) }
      : await bringIn(restore);
    await dropPrograms(session, schemas.database);
    if (brought.programs.length > 0)
      await loadSql(access, schemas.database, Readable.from([brought.programs]));
    await markKept(session, schemas);
    return { lost: brought.lost, position: await logEnd(session) };
  });
  const restored = { at: new Date().toISOString(), ...(position ? { position } : {}) };
  const told = { ...record, restored };
  await writeRecord(file, told, key);
  return { record: told, lost, kept: schemas.old };
}

/** A restore at work, over one connection: each new one costs a process. */
interface Restore {
  readonly request: RestoreRequest;
  readonly record: BackupRecord;
  readonly schemas: Schemas;
  readonly session: MariadbSession;
}

/** What would be lost if a backup were brought back now. */
export function lossSince(
  { access }: Pick<RestoreRequest, 'access'>,
  record: BackupRecord,
): Promise<Loss | undefined> {
  return listLoss(access, record.database, (record.restored ?? record).position);
}

async function bringIn(restore: Restore): Promise<{ lost: Loss | undefined; programs: Buffer }> {
  const { request, record, schemas, session } = restore;
  const { access, mayLose, say } = request;
  const { database, fresh } = schemas;
  const cutOff = await programsToPutBack(session, schemas);
  if (cutOff) await putBack(access, database, cutOff);
  await refuseWork(session, database);
  if (!mayLose) {
    const loss = await lossSince(request, record);
    if (losesSomething(loss)) throw lossRefused(loss);
  }
  await prepareFresh(session, schemas, record);
  const { tables, programs } = readBackup(request.file, record, request.key);
  const progress = new Progress(say, 'restore', record.textBytes);
  await loadSql(access, fresh, progress.count(tables));
  const kept = await wholeOf(programs); // only at its end is the file proved
  await compare(record, () =>
    sumTablesNow(
      session,
      fresh,
      record.tables.map(({ name }) => name),
    ),
  );
  return { lost: await change(restore), programs: kept };
}

/** Lets the tables change places, and back again where that would lose what may not be lost. */
async function change(restore: Restore): Promise<Loss | undefined> {
  const { request, record, schemas, session } = restore;
  const { access } = request;
  const { database } = schemas;
  const { tables, views } = await readFacts(session, database);
  const moving = { tables, back: record.tables.map(({ name }) => name) };
  const programs = await dumpPrograms(access, database, { views });
  await refuseWork(session, database);
  await keepPrograms(session, schemas, programs);
  try {
    await dropTriggers(session, database); // a table that has some does not leave its schema
    await swap(access, schemas, moving);
  } catch (error) {
    await putBack(access, database, programs);
    throw error;
  }
  return settle(restore);
}

/** What the swap dropped. Where that may not be, it is taken back: clients wrote until the last moment. */
async function settle({ request, record, schemas, session }: Restore): Promise<Loss | undefined> {
  const { access, mayLose } = request;
  const lost = await lossSince({ access }, record);
  if (mayLose || !losesSomething(lost)) return lost;
  await dropTriggers(session, schemas.database);
  const tables = await tablesKept(session, schemas);
  await swapBack(access, schemas, { tables, back: record.tables.map(({ name }) => name) });
  const programs = await keptPrograms(session, schemas);
  if (programs) await putBack(access, schemas.database, programs);
  throw lossRefused(lost);
}

async function putBack(access: MariadbAccess, database: string, programs: Buffer): Promise<void> {
  await withSession(access, undefined, session => dropPrograms(session, database));
  await loadSql(access, database, Readable.from([programs]));
}

async function refuseWork(session: MariadbSession, database: string): Promise<void> {
  const who = await workUnderWay(session, database);
  if (who.length > 0)
    throw new CodedError('DatabaseInUse', `${database} is in use: ${who.join('; ')}`, { details: { who } });
  const others = await session.query(
    `SELECT DISTINCT constraint_schema FROM information_schema.referential_constraints WHERE unique_constraint_schema = ${literal(database)} AND constraint_schema NOT IN (${literal(database)}, ${literal(schemasOf({ database }).old)}) ORDER BY 1`,
  );
  if (others.length === 0) return;
  const names = others.map(([name = '']) => identifier(name)).join(', ');
  throw new CodedError(
    'DatabaseUnsupported',
    `tables of ${names} refer to tables of ${database}, and would follow the old ones`,
  );
}

function lossRefused(loss: Loss | undefined): CodedError {
  return new CodedError('LossNotAccepted', lossText(loss), { details: { loss } });
}

async function programsOf({ file, key }: RestoreRequest, record: BackupRecord): Promise<Buffer> {
  const { tables, programs } = readBackup(file, record, key);
  for await (const _ of tables); // they come first
  return wholeOf(programs);
}

/** Programs are small: they fit into memory, and the file need not be opened a second time for them. */
async function wholeOf(text: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of text) pieces.push(piece);
  return Buffer.concat(pieces);
}
