import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import type { JsonObject } from '../../../base/json.ts';
import { backUp, estimate } from './back-up.ts';
import { clearWay, schemaDigest } from './clear-way.ts';
import { dropCopy, makeCopy } from './copy-schema.ts';
import { parseKey } from './encrypted-stream.ts';
import { lossTold } from './list-loss.ts';
import { type MariadbAccess, type MariadbTarget, openAccess } from './mariadb-access.ts';
import { identifier, withSession } from './mariadb-session.ts';
import type { Say } from './progress.ts';
import { pruneBackups } from './prune-backups.ts';
import { lossSince, restoreBackup } from './restore-backup.ts';
import { openRecord, verifyBackup } from './verify-backup.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What one task on a database goes by. */
interface DataTask {
  readonly access: MariadbAccess;
  readonly database: string;
  readonly environment: Environment;
  readonly say: Say;
}

/** A termination message holds no more: a longer one would be cut in the middle. */
const resultCharacters = 3500;

/**
 * Does what the environment says to one database, and gives what the manager must know. Every verb may be cut off anywhere and run again.
 * What variables there are is in docs/decisions/0011.
 */
export async function runDataTask(environment: Environment, say: Say): Promise<JsonObject> {
  const verb = needed(environment, 'AFLOAT_DATA_VERB');
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!work) throw new CodedError('DataTaskInvalid', `there is no verb ${verb}`);
  const database = needed(environment, 'AFLOAT_DATABASE');
  if (!/^[\w$-]{1,50}$/.test(database))
    throw new CodedError('DataTaskInvalid', `${database} is no name of a database`);
  const access = await openAccess(await targetOf(environment), environment);
  try {
    return await work({ access, database, environment, say });
  } finally {
    await access.close();
  }
}

/** What each verb does. */
const verbs: Readonly<Record<string, (task: DataTask) => Promise<JsonObject>>> = {
  create: task =>
    one(task, `CREATE DATABASE IF NOT EXISTS ${identifier(task.database)} CHARACTER SET utf8mb4`),
  drop: task => one(task, `DROP DATABASE IF EXISTS ${identifier(task.database)}`),
  async 'back-up'(task) {
    const { file, record } = await backUp({ ...task, folder: folderOf(task), key: await keyOf(task) });
    const { checksum, bytes, seconds } = record;
    const { file: logFile = '', position = 0 } = record.position ?? {};
    return { location: basename(file), checksum, bytes, seconds, logFile, logPosition: position };
  },
  async verify(task) {
    const backup = await backupOf(task);
    const { verifySeconds = 0 } = await verifyBackup(backup);
    const keep = Number(task.environment['AFLOAT_BACKUP_KEEP'] ?? 10);
    if (!Number.isInteger(keep) || keep < 1)
      throw new CodedError('DataTaskInvalid', 'AFLOAT_BACKUP_KEEP is no number of backups');
    const retention = { folder: folderOf(task), database: task.database, key: backup.key, keep };
    const removed = await pruneBackups({ ...retention, needed: [backup.file, ...neededOf(task)] });
    return { seconds: verifySeconds, removed: removed.length };
  },
  async restore(task) {
    const backup = await backupOf(task);
    const mayLose = task.environment['AFLOAT_MAY_LOSE'] === 'yes';
    const { lost, kept } = await restoreBackup({ ...backup, access: task.access, mayLose });
    return { ...lossTold(lost, resultCharacters), kept };
  },
  async loss(task) {
    return lossTold(await lossSince(task, await openRecord(await backupOf(task))), resultCharacters);
  },
  async estimate(task) {
    return estimate({ ...task, folder: folderOf(task), key: await keyOf(task) });
  },
  async copy(task) {
    return { database: await makeCopy(task.access, task.database, await backupOf(task)) };
  },
  async 'drop-copy'({ access, database }) {
    await withSession(access, undefined, session => dropCopy(session, database));
    return {};
  },
  async 'clear-way'({ access, database, environment }) {
    const seconds = Number(environment['AFLOAT_LOCK_WAIT_SECONDS'] ?? 30);
    return withSession(access, undefined, async session => {
      await clearWay(session, database, seconds);
      return { schema: await schemaDigest(session, database) };
    });
  },
  'read-schema': ({ access, database }) =>
    withSession(access, undefined, async session => ({ schema: await schemaDigest(session, database) })),
};

async function one({ access }: DataTask, statement: string): Promise<JsonObject> {
  await withSession(access, undefined, session => session.query(statement));
  return {};
}

function needed(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new CodedError('DataTaskInvalid', `${name} is not set`);
  return value;
}

async function targetOf(environment: Environment): Promise<MariadbTarget> {
  const { AFLOAT_MARIADB_SOCKET: socket, AFLOAT_MARIADB_PORT: port } = environment;
  const password = await passwordOf(environment);
  return {
    user: needed(environment, 'AFLOAT_MARIADB_USER'),
    ...(password === undefined ? {} : { password }),
    ...(socket ? { socket } : { host: needed(environment, 'AFLOAT_MARIADB_HOST') }),
    ...(port ? { port: Number(port) } : {}),
  };
}

async function passwordOf(environment: Environment): Promise<string | undefined> {
  const { AFLOAT_MARIADB_PASSWORD_FILE: file, AFLOAT_MARIADB_PASSWORD: given } = environment;
  if (!file) return given || undefined;
  return (await readGiven('AFLOAT_MARIADB_PASSWORD_FILE', file)).toString('utf8').replace(/\r?\n$/, '');
}

async function keyOf({ environment }: DataTask): Promise<Buffer> {
  return parseKey(await readGiven('AFLOAT_BACKUP_KEY_FILE', needed(environment, 'AFLOAT_BACKUP_KEY_FILE')));
}

async function readGiven(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new CodedError('DataTaskInvalid', `the file that ${name} names cannot be read`, { cause });
  }
}

function folderOf({ environment }: DataTask): string {
  return needed(environment, 'AFLOAT_BACKUP_FOLDER');
}

/** The files of backups that are not to be pruned, whatever their age. */
function neededOf(task: DataTask): string[] {
  const locations = (task.environment['AFLOAT_BACKUP_NEEDED'] ?? '').split('\n').filter(line => line !== '');
  return locations.map(location => join(folderOf(task), location));
}

async function backupOf(task: DataTask) {
  const { environment, say } = task;
  const folder = folderOf(task);
  const file = join(folder, needed(environment, 'AFLOAT_BACKUP_LOCATION'));
  const inside = relative(folder, file);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new CodedError('DataTaskInvalid', 'a backup lies in the folder of backups');
  const checksum = needed(environment, 'AFLOAT_BACKUP_CHECKSUM');
  return { file, checksum, key: await keyOf(task), environment, say };
}
