import { createHmac, timingSafeEqual } from 'node:crypto';
import { open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { digestJson } from '../../../base/digest.ts';
import type { LogPosition, TableSum } from './database-facts.ts';
import { derivedKey } from './encrypted-stream.ts';

/** What is known of a backup, beside the file itself as `<file>.json`. Whoever lacks the key cannot change it unnoticed. */
export interface BackupRecord {
  readonly format: 1;
  readonly database: string;
  /** RFC 3339. */
  readonly takenAt: string;
  readonly seconds: number;
  /** Size and SHA-256 of the file; size of the text in it. */
  readonly bytes: number;
  readonly checksum: string;
  readonly textBytes: number;
  /** Where in the text views, triggers, routines and events begin, which come after all rows. */
  readonly programsAt: number;
  readonly rowBytes: number;
  readonly allBytes: number;
  readonly serverVersion: string;
  readonly charset: string;
  readonly collation: string;
  readonly position?: LogPosition;
  readonly tables: readonly TableSum[];
  /** When it was brought back last, and where the log stood then: from there on counts what clients wrote over it. */
  readonly restored?: { readonly at: string; readonly position?: LogPosition };
  readonly verifiedAt?: string;
  /** How long proving it took. */
  readonly verifySeconds?: number;
}

const noSalt = Buffer.alloc(32);

function macOf(record: BackupRecord, key: Buffer): Buffer {
  const own = derivedKey(key, noSalt, 'afloat backup record 1');
  return createHmac('sha256', own).update(digestJson(record)).digest();
}

/** Writes the record of a backup, whole or not at all. */
export async function writeRecord(file: string, record: BackupRecord, key: Buffer): Promise<void> {
  const text = `${JSON.stringify({ record, mac: macOf(record, key).toString('hex') }, undefined, 2)}\n`;
  const draft = `${file}.json.partial`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, `${file}.json`);
  await syncPath(dirname(file));
}

/** Makes a file, or the names in a folder, durable. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The record of a backup. Fails with `BackupDamaged` where it is not there or not ours, `BackupKeyWrong` where the key does not fit. */
export async function readRecord(file: string, key: Buffer): Promise<BackupRecord> {
  const { record, mac } = await parsed(file);
  const given = Buffer.from(`${mac}`, 'hex');
  const want = macOf(record, key);
  if (given.length !== want.length || !timingSafeEqual(given, want))
    throw new CodedError('BackupKeyWrong', `${file}.json was written with another key, or changed since`);
  return record;
}

async function parsed(file: string): Promise<{ record: BackupRecord; mac: unknown }> {
  try {
    const { record, mac } = JSON.parse(await readFile(`${file}.json`, 'utf8')) as Record<string, unknown>;
    if (typeof record === 'object' && record !== null && 'format' in record && record.format === 1)
      return { record: record as BackupRecord, mac };
  } catch (cause) {
    throw new CodedError('BackupDamaged', `${file}.json cannot be read`, { cause });
  }
  throw new CodedError('BackupDamaged', `${file}.json is no record of a backup that this version knows`);
}

/** The backups of one database in a folder whose record this key opens, newest first. */
export async function listBackups(
  folder: string,
  database: string,
  key: Buffer,
): Promise<{ readonly file: string; readonly record: BackupRecord }[]> {
  const found: { file: string; record: BackupRecord }[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${database}-`) || !name.endsWith('.backup.json')) continue;
    const file = join(folder, name.slice(0, -'.json'.length));
    try {
      const record = await readRecord(file, key);
      if (record.database === database) found.push({ file, record });
    } catch (error) {
      // One that cannot be read is nobody's to count or to remove.
      if (!(error instanceof CodedError)) throw error;
    }
  }
  return found.sort((a, b) => (a.record.takenAt < b.record.takenAt ? 1 : -1));
}
