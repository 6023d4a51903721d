import { execFile } from 'node:child_process';
import { type FileHandle, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemPath } from '../../isolation/program-lead.ts';
import { isDiskFull } from '../disk-full.ts';
import { isMarker, logParts, segmentName } from './log-segments.ts';

/** How much is kept of a run's log: files of that size, the one being written among them. */
export interface LogLimits {
  readonly bytes: number;
  readonly files: number;
}

/** As a kubelet does it. */
export const usualLogLimits: LogLimits = { bytes: 10 * 1024 * 1024, files: 5 };

const run = promisify(execFile);
const chunkBytes = 1024 * 1024;
const unfinishedName = 'log.unfinished';
/** Beyond the end of any log, and within what every filesystem can count. */
const farAway = 2 ** 40;

/**
 * Moves the older part of a log away when it has grown too large; says whether it had. Whoever writes is not disturbed and nothing
 * written meanwhile is lost: the part is copied and then given back to the filesystem (a hole), and the writer goes on at the end.
 * Where the filesystem cannot do that, the file is emptied, and what is written in that moment may be lost. Where there is no room for a
 * copy, the older part is dropped without one: a full disk must not stay full for the sake of a log.
 */
export async function rotateLog(folder: string, limits: LogLimits): Promise<'small' | 'moved' | 'dropped'> {
  const file = join(folder, 'log');
  const { liveFrom, liveBase } = logParts(folder);
  const end = liveBase + ((await stat(file).catch(() => undefined))?.size ?? 0);
  if (end - liveFrom <= limits.bytes) return 'small';
  let outcome: 'moved' | 'dropped' = 'moved';
  try {
    await moveParts(folder, limits, { liveFrom, liveBase, end });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    await dropPart(folder, limits, { liveBase, end });
    outcome = 'dropped';
  }
  await removeOld(folder, limits.files - 1);
  return outcome;
}

async function moveParts(
  folder: string,
  limits: LogLimits,
  { liveFrom, liveBase, end }: { liveFrom: number; liveBase: number; end: number },
): Promise<void> {
  const file = join(folder, 'log');
  // More than would be kept is not worth copying: a program that floods its log must not be waited for.
  const kept = Math.max(liveFrom, end - limits.bytes * Math.max(1, limits.files - 1));
  const hasHoles = await canHaveHoles(file);
  for (let from = kept; from < end; ) {
    // No small rest of its own: files are counted, not bytes.
    const until = end - from < 2 * limits.bytes ? end : from + limits.bytes;
    const isLast = until === end;
    const cut = isLast && !hasHoles;
    const taken = await copyPart(file, folder, { from, until, base: liveBase, wasCut: cut });
    if (cut) await truncate(file, 0);
    // Each at once: the next copy may need the room.
    if (hasHoles) await punch(file, 0, until - liveBase);
    from = taken;
  }
}

/** Drops all but the newest bytes of the live file. A marker goes first: who reads must not take the hole for what was written. */
async function dropPart(
  folder: string,
  limits: LogLimits,
  { liveBase, end }: { liveBase: number; end: number },
): Promise<void> {
  const file = join(folder, 'log');
  const cut = !(await canHaveHoles(file));
  // Only half a limit stays, so that it is not too large again at once.
  const from = cut ? end : end - Math.floor(limits.bytes / 2);
  // The file of the copy that failed, if there is one: a new one may need room.
  const marker = join(folder, unfinishedName);
  await (await open(marker, 'w', 0o600)).close();
  await rename(marker, join(folder, segmentName({ from, until: from, wasCut: cut })));
  if (cut) await truncate(file, 0);
  else await punch(file, 0, from - liveBase);
}

interface Part {
  readonly from: number;
  readonly until: number;
  readonly base: number;
  readonly wasCut: boolean;
}

/** Copies a part into a segment of its own and answers where it ends. A part that is cut off goes on to what was just written. */
async function copyPart(file: string, folder: string, { from, until, base, wasCut }: Part): Promise<number> {
  const unfinished = join(folder, unfinishedName);
  const source = await open(file, 'r');
  const target = await open(unfinished, 'w', 0o600);
  let copied = 0;
  try {
    copied = await copyBytes(source, target, {
      position: from - base,
      bytes: wasCut ? Infinity : until - from,
    });
  } finally {
    await source.close();
    await target.close();
  }
  await rename(unfinished, join(folder, segmentName({ from, until: from + copied, wasCut })));
  return from + copied;
}

async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  { position, bytes }: { position: number; bytes: number },
): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, bytes));
  let copied = 0;
  while (copied < bytes) {
    const wanted = Math.min(buffer.length, bytes - copied);
    const { bytesRead } = await source.read(buffer, 0, wanted, position + copied);
    if (bytesRead === 0) break;
    // The last write before a disk is full may be a short one.
    for (let written = 0; written < bytesRead; ) {
      written += (await target.write(buffer, written, bytesRead - written)).bytesWritten;
    }
    copied += bytesRead;
  }
  return copied;
}

/** An empty hole past the end changes nothing and tells whether holes can be made. */
async function canHaveHoles(file: string): Promise<boolean> {
  return punch(file, farAway, 4096).then(
    () => true,
    () => false,
  );
}

async function punch(file: string, offset: number, length: number): Promise<void> {
  await run('fallocate', ['--punch-hole', '--offset', String(offset), '--length', String(length), file], {
    env: { PATH: systemPath },
  });
}

async function removeOld(folder: string, files: number): Promise<void> {
  const { segments } = logParts(folder);
  const old = segments.filter(segment => !isMarker(segment)).slice(0, -files);
  // What a marker says is said by whatever follows it.
  const markers = segments.slice(0, -1).filter(isMarker);
  for (const { file } of [...old, ...markers]) await rm(file, { force: true });
}
