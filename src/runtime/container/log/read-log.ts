import { type FSWatcher, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../cluster/clock.ts';
import type { LogOptions } from '../containers.ts';
import { isMarker, logParts } from './log-segments.ts';
import { LogTimes } from './log-times.ts';

const chunkBytes = 64 * 1024;
const newline = 10;

/** What a reader needs to know of the run whose log it is. */
export interface LoggedRun {
  readonly folder: string;
  /** Whether nothing more will be written. */
  readonly hasEnded: () => boolean;
}

/** Some bytes of a log, and which of the stream they are. */
interface Piece {
  readonly bytes: Buffer;
  readonly from: number;
}

/** The log of a run, over all its parts, oldest first. */
export async function* readLog(run: LoggedRun, options: LogOptions, clock: Clock): AsyncIterable<Buffer> {
  let next: number | undefined;
  let beginsLine = true;
  let times: LogTimes | undefined;
  for await (const { bytes, from } of readPieces(run, options, clock)) {
    // After a part that nobody could keep, what follows is taken for a line.
    beginsLine ||= next !== undefined && from !== next;
    next = from + bytes.length;
    if (options.timestamps && (times === undefined || times.until < next)) times = new LogTimes(run.folder);
    yield times ? withTimes({ bytes, from }, beginsLine, times) : bytes;
    beginsLine = bytes.at(-1) === newline;
  }
}

async function* readPieces(run: LoggedRun, options: LogOptions, clock: Clock): AsyncGenerator<Piece> {
  const { follow, signal } = options;
  const notice = follow ? new WriteNotice(run.folder) : undefined;
  try {
    let at = await startOf(run.folder, options);
    while (!signal?.aborted) {
      // Asked before the read: what was written before the end is read after it.
      const isWhole = !notice || run.hasEnded();
      const seen = notice?.count ?? 0;
      const piece = await readPiece(run.folder, at);
      if (piece) {
        yield piece;
        at = piece.from + piece.bytes.length;
      } else if (isWhole) return;
      else await notice?.after(seen, clock, signal);
    }
  } finally {
    notice?.close();
  }
}

/** Some bytes from a place on; undefined at the end of what is written. */
async function readPiece(folder: string, at: number): Promise<Piece | undefined> {
  for (;;) {
    const parts = logParts(folder);
    const segment = parts.segments.find(one => one.until > at && !isMarker(one));
    const from = Math.max(at, segment ? segment.from : parts.liveFrom);
    const [file, offset, limit] = segment
      ? [segment.file, from - segment.from, segment.until - from]
      : [join(folder, 'log'), from - parts.liveBase, chunkBytes];
    const bytes = await readBytes(file, offset, Math.min(limit, chunkBytes));
    // What was moved away while it was read may have been read as a hole: then it is in a segment now. A segment may be gone.
    const isMoved = bytes === undefined || (!segment && logParts(folder).liveFrom > parts.liveFrom);
    if (isMoved && (segment || bytes !== undefined)) continue;
    return bytes === undefined || bytes.length === 0 ? undefined : { bytes, from };
  }
}

async function readBytes(file: string, offset: number, length: number): Promise<Buffer | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Where the part that is asked for begins. */
async function startOf(folder: string, { tailLines, since }: LogOptions): Promise<number> {
  const ofTail = tailLines === undefined ? 0 : await startOfTail(folder, tailLines);
  const ofTime =
    since === undefined ? 0 : await lineFrom(folder, new LogTimes(folder).firstSince(since.getTime()));
  return Math.max(ofTail, ofTime);
}

/** Where the first line begins at this place or after it. */
async function lineFrom(folder: string, place: number): Promise<number> {
  if (place === 0) return 0;
  // The byte before says whether a line begins here.
  let at = place - 1;
  for (let piece = await readPiece(folder, at); piece; piece = await readPiece(folder, at)) {
    const end = piece.bytes.indexOf(newline);
    if (end >= 0) return piece.from + end + 1;
    at = piece.from + piece.bytes.length;
  }
  return at;
}

/** The bytes with the time before each line that begins in them. */
function withTimes({ bytes, from }: Piece, beginsLine: boolean, times: LogTimes): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0, isStart = beginsLine; start < bytes.length; isStart = true) {
    const end = bytes.indexOf(newline, start);
    const until = end < 0 ? bytes.length : end + 1;
    if (isStart) parts.push(Buffer.from(`${(times.at(from + start) ?? new Date()).toISOString()} `));
    parts.push(bytes.subarray(start, until));
    start = until;
  }
  return Buffer.concat(parts);
}

/** Where the last lines begin. A line without an end counts as one. */
async function startOfTail(folder: string, lines: number): Promise<number> {
  const starts: number[] = [];
  let at = 0;
  let lineStart: number | undefined;
  for (let piece = await readPiece(folder, at); piece; piece = await readPiece(folder, at)) {
    const { bytes, from } = piece;
    lineStart ??= from;
    for (let index = bytes.indexOf(newline); index >= 0; index = bytes.indexOf(newline, index + 1)) {
      starts.push(lineStart);
      lineStart = from + index + 1;
    }
    starts.splice(0, starts.length - lines - 1);
    at = from + bytes.length;
  }
  if (lineStart !== undefined && lineStart < at) starts.push(lineStart);
  return lines <= 0 ? at : (starts.at(-lines) ?? starts[0] ?? 0);
}

/** Counts writes into a folder, so that none between a read and a wait goes unnoticed. */
class WriteNotice {
  count = 0;
  readonly #watcher: FSWatcher;
  #wake = () => {};

  constructor(folder: string) {
    const noticed = () => {
      this.count += 1;
      this.#wake();
    };
    this.#watcher = watch(folder, { persistent: false }, noticed);
    this.#watcher.on('error', noticed);
  }

  /** Returns when something was written since the count was that, and from time to time without it. */
  async after(count: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
    if (this.count !== count) return;
    const stop = new AbortController();
    this.#wake = () => stop.abort();
    signal?.addEventListener('abort', this.#wake, { once: true });
    await clock.sleep(250, stop.signal);
    signal?.removeEventListener('abort', this.#wake);
  }

  close(): void {
    this.#watcher.close();
  }
}
