import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { CodedError } from '../../../base/coded-error.ts';
import { sizeText } from './progress.ts';

/** Whatever is kept free beside what is needed. */
const spareBytes = 16 * 1024 * 1024;

/** Fails with `NoRoom` where a folder's disk has no room for so many bytes, before anything is begun. */
export async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const need = Math.ceil(bytes * 1.1) + spareBytes;
  if (free >= need) return;
  throw new CodedError('NoRoom', `${folder} has ${sizeText(free)} free, and ${sizeText(need)} are needed`, {
    details: { folder, free, need },
  });
}

/** Room that an empty server takes. */
const serverBytes = 200 * 1024 * 1024;

/** The same for the proof of a backup, which is loaded into a server of its own. */
export function checkRoomForProof(databaseBytes: number): Promise<void> {
  return checkRoom(tmpdir(), databaseBytes + serverBytes);
}

/** A disk that became full meanwhile, by the same code. */
export function fullDisk(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new CodedError('NoRoom', `${folder} became full`, { cause: error, details: { folder } });
}
