import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CodedError } from '../../../base/coded-error.ts';
import type { BackupRecord } from './backup-record.ts';
import { decrypted } from './encrypted-stream.ts';
import { type MariadbAccess, startTool } from './mariadb-access.ts';

/** The text of a backup in its two parts: tables with their rows, then programs. Read one after the other. */
export interface BackupText {
  readonly tables: AsyncIterable<Buffer>;
  readonly programs: AsyncIterable<Buffer>;
}

/**
 * Opens a backup. The file is held to the checksum of its record while it is read; where it differs the reading of its end fails with
 * `BackupDamaged`, so nothing may be believed before that.
 */
export function readBackup(file: string, record: BackupRecord, key: Buffer): BackupText {
  const text = decrypted(proved(file, record), key)[Symbol.asyncIterator]();
  let left: Buffer = Buffer.alloc(0);
  let at = 0;
  async function* upTo(end: number): AsyncGenerator<Buffer> {
    while (at < end) {
      if (left.length === 0) {
        const { value, done } = await text.next();
        if (done) {
          if (end === Number.POSITIVE_INFINITY) return;
          throw new CodedError('BackupDamaged', `${file} is shorter than its record says`);
        }
        left = value;
      }
      const piece = left.subarray(0, Math.min(left.length, end - at));
      left = left.subarray(piece.length);
      at += piece.length;
      yield piece;
    }
  }
  return { tables: upTo(record.programsAt), programs: upTo(Number.POSITIVE_INFINITY) };
}

async function* proved(file: string, { checksum, bytes }: BackupRecord): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) {
      read += (piece as Buffer).length;
      hash.update(piece as Buffer);
      yield piece as Buffer;
    }
  } catch (cause) {
    throw new CodedError('BackupDamaged', `${file} cannot be read`, { cause });
  }
  if (read !== bytes || `sha256:${hash.digest('hex')}` !== checksum)
    throw new CodedError('BackupDamaged', `${file} has another checksum than its record`);
}

/** Runs SQL in a database, with MariaDB's own client. Where the text cannot be read to its end, that is what it fails with. */
export async function loadSql(
  access: MariadbAccess,
  database: string,
  text: AsyncIterable<Buffer>,
): Promise<void> {
  const words = ['--batch', '--binary-mode', '--max-allowed-packet=1G', '--default-character-set=utf8mb4'];
  const { child, end } = startTool(access, 'mariadb', [...words, database]);
  child.stdout?.resume();
  let over = false;
  const ended = end.finally(() => {
    over = true;
  });
  ended.catch(() => {});
  try {
    for await (const piece of text) {
      if (over) break;
      const { stdin } = child;
      if (stdin?.write(piece) === false)
        await Promise.race([new Promise(resolve => stdin.once('drain', resolve)), ended.catch(() => {})]);
    }
  } catch (error) {
    child.kill('SIGKILL'); // or it would run the half statement at the end of what it got
    await ended.catch(() => {});
    throw error;
  }
  child.stdin?.end();
  await ended;
}
