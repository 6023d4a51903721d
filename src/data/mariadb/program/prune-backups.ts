import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listBackups } from './backup-record.ts';

/** Something that was cut off so long ago is nobody's any more. */
const forgottenMilliseconds = 24 * 3600 * 1000;

/** What is kept of the backups of one database. */
export interface Retention {
  readonly folder: string;
  readonly database: string;
  readonly key: Buffer;
  /** So many proved ones, the newest, are kept; one at least. */
  readonly keep: number;
  /** Files that are kept whatever their age. */
  readonly needed?: readonly string[];
}

/** Removes backups that are older than the newest so many proved ones, and pieces that were cut off a day ago. Gives the files that went. */
export async function pruneBackups({
  folder,
  database,
  key,
  keep,
  needed = [],
}: Retention): Promise<string[]> {
  const all = await listBackups(folder, database, key);
  const proved = all.filter(({ record }) => record.verifiedAt !== undefined);
  const last = proved[Math.max(1, keep) - 1];
  const old = last ? all.filter(({ record }) => record.takenAt < last.record.takenAt) : [];
  const gone = old.map(({ file }) => file).filter(file => !needed.includes(file));
  for (const file of gone) {
    await rm(file, { force: true });
    await rm(`${file}.json`, { force: true }); // last: without it nobody would come back for the file
  }
  return [...gone, ...(await removePieces(folder, database))];
}

async function removePieces(folder: string, database: string): Promise<string[]> {
  const gone: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${database}-`) || !name.endsWith('.partial')) continue;
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs < forgottenMilliseconds) continue;
    await rm(file, { force: true });
    gone.push(file);
  }
  return gone;
}
