import { execFile } from 'node:child_process';
import { type FileHandle, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemPath } from '../../isolation/program-lead.ts';
import { logParts, segmentName } from './log-segments.ts';

/** How much is kept of a run's log: files of that size, the one being written among them. */
export interface LogLimits {
  readonly bytes: number;
  readonly files: number;
}

/** As a kubelet does it. */
export const usualLogLimits: LogLimits = { bytes: 10 * 1024 * 1024, files: 5 };

const run = promisify(execFile);
const chunkBytes = 1024 * 1024;
/** Beyond the end of any log, and within what every filesystem can count. */
const farAway = 2 ** 40;

/**
 * Moves the older part of a log away when it has grown too large; true when it had. Whoever writes is not disturbed and nothing
 * written meanwhile is lost: the part is copied and then given back to the filesystem (a hole), and the writer goes on at the end.
 * Where the filesystem cannot do that, the file is emptied, and what is written in that moment may be lost.
 */
export async function rotateLog(folder: string, limits: LogLimits): Promise<boolean> {
  const file = join(folder, 'log');
  const { liveFrom, liveBase } = logParts(folder);
  const end = liveBase + ((await stat(file).catch(() => undefined))?.size ?? 0);
  if (end - liveFrom <= limits.bytes) return false;
  // More than would be kept is not worth copying: a program that floods its log must not be waited for.
  const kept = Math.max(liveFrom, end - limits.bytes * Math.max(1, limits.files - 1));
  for (let from = kept; from < end; ) {
    // No small rest of its own: files are counted, not bytes.
    const until = end - from < 2 * limits.bytes ? end : from + limits.bytes;
    const isLast = until === end;
    const cut = isLast && !(await canHaveHoles(file));
    const taken = await copyPart(file, folder, { from, until, base: liveBase, wasCut: cut });
    if (isLast && cut) await truncate(file, 0);
    else if (isLast) await punch(file, 0, end - liveBase);
    from = taken;
  }
  await removeOld(folder, limits.files - 1);
  return true;
}

interface Part {
  readonly from: number;
  readonly until: number;
  readonly base: number;
  readonly wasCut: boolean;
}

/** Copies a part into a segment of its own and answers where it ends. A part that is cut off goes on to what was just written. */
async function copyPart(file: string, folder: string, { from, until, base, wasCut }: Part): Promise<number> {
  const unfinished = join(folder, 'log.unfinished');
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
    await target.write(buffer, 0, bytesRead);
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
  for (const { file } of logParts(folder).segments.slice(0, -files)) await rm(file, { force: true });
}
