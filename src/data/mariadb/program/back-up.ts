import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BackupRecord, listBackups, syncPath, writeRecord } from './backup-record.ts';
import { type ConsistentDump, startConsistentDump } from './consistent-dump.ts';
import { type DatabaseFacts, readFacts, refuseUnsupported } from './database-facts.ts';
import { dumpPrograms } from './dump-programs.ts';
import { encrypted } from './encrypted-stream.ts';
import type { MariadbAccess } from './mariadb-access.ts';
import { withSession } from './mariadb-session.ts';
import { Progress, type Say } from './progress.ts';
import { checkRoom, checkRoomForProof, fullDisk } from './room.ts';

/** What a backup is taken of, and where it goes. */
export interface BackupRequest {
  readonly access: MariadbAccess;
  readonly database: string;
  readonly folder: string;
  readonly key: Buffer;
  readonly say: Say;
}

/** A backup that is on disk. */
export interface TakenBackup {
  readonly file: string;
  readonly record: BackupRecord;
}

/**
 * Takes a backup of one database: one encrypted file, and its record beside it. Either both are there and whole, or there is neither: what
 * was cut off leaves a `.partial`, which counts as nothing. Clients go on writing.
 */
export async function backUp(request: BackupRequest): Promise<TakenBackup> {
  const { access, database, folder, key, say } = request;
  const began = performance.now();
  const takenAt = new Date().toISOString();
  const { facts, serverVersion } = await withSession(access, undefined, async session => {
    await refuseUnsupported(session, database);
    const version = await session.value('SELECT VERSION()');
    return { facts: await readFacts(session, database), serverVersion: version ?? '' };
  });
  const expected = await expectedText(request, facts);
  await checkRoom(folder, expected);
  const file = join(
    folder,
    `${database}-${takenAt.replaceAll(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}.backup`,
  );
  // What is no table is in no snapshot: it is read while the dump begins, and costs no time of its own.
  const programsRead = dumpPrograms(access, database, facts);
  programsRead.catch(() => {}); // told below, when it is needed
  const dump = await startConsistentDump(access, database, facts.tables);
  try {
    const programs = await programsRead;
    const written = await write(file, textOf(dump, programs, new Progress(say, 'backup', expected)), key);
    const tables = await dump.sums;
    const record: BackupRecord = {
      format: 1,
      database,
      takenAt,
      seconds: Math.round((performance.now() - began) / 10) / 100,
      ...written,
      programsAt: written.textBytes - programs.length,
      ...{ rowBytes: facts.rowBytes, allBytes: facts.allBytes },
      ...{ serverVersion, charset: facts.charset, collation: facts.collation },
      ...(dump.position ? { position: dump.position } : {}),
      tables,
    };
    await rename(`${file}.partial`, file);
    await writeRecord(file, record, key);
    return { file, record };
  } catch (error) {
    await dump.abort();
    await rm(`${file}.partial`, { force: true });
    throw fullDisk(error, folder);
  }
}

/** How big the text will be: as the last one was, for its rows; else as the server guesses. */
async function expectedText({ folder, database, key }: BackupRequest, facts: DatabaseFacts): Promise<number> {
  const [last] = await listBackups(folder, database, key);
  const ratio = last && last.record.rowBytes > 0 ? last.record.textBytes / last.record.rowBytes : 1;
  return facts.rowBytes * ratio;
}

async function* textOf(dump: ConsistentDump, programs: Buffer, progress: Progress): AsyncGenerator<Buffer> {
  yield* progress.count(dump.text);
  yield programs;
}

async function write(
  file: string,
  text: AsyncIterable<Buffer>,
  key: Buffer,
): Promise<Pick<BackupRecord, 'bytes' | 'checksum' | 'textBytes'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  let textBytes = 0;
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      textBytes += piece.length;
      yield piece;
    }
  };
  const hashed = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      bytes += piece.length;
      hash.update(piece);
      yield piece;
    }
  };
  const target = createWriteStream(`${file}.partial`, { flags: 'wx', mode: 0o600, highWaterMark: 4 << 20 });
  await pipeline(hashed(encrypted(counted(text), key)), target);
  await syncPath(`${file}.partial`);
  return { bytes, textBytes, checksum: `sha256:${hash.digest('hex')}` };
}

/** Bytes and time that a backup and its proof will take, by what the last ones took. Fails with `NoRoom` where one of them finds none. */
export async function estimate(request: BackupRequest): Promise<{ bytes: number; seconds: number }> {
  const { access, database, folder, key } = request;
  const facts = await withSession(access, undefined, session => readFacts(session, database));
  const bytes = Math.round(await expectedText(request, facts));
  await checkRoom(folder, bytes);
  await checkRoomForProof(facts.allBytes);
  const [last] = await listBackups(folder, database, key);
  if (!last) return { bytes, seconds: Math.ceil(10 + bytes / 10e6) };
  const took = last.record.seconds + (last.record.verifySeconds ?? last.record.seconds);
  const grown = last.record.textBytes === 0 ? 1 : Math.max(1, bytes / last.record.textBytes);
  return { bytes, seconds: Math.ceil(took * grown) };
}
