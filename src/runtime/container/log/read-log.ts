import { type FSWatcher, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../cluster/clock.ts';
import type { LogOptions } from '../containers.ts';
import { isMarker, logParts } from './log-segments.ts';

const chunkBytes = 64 * 1024;

/** What a reader needs to know of the run whose log it is. */
export interface LoggedRun {
  readonly folder: string;
  /** Whether nothing more will be written. */
  readonly hasEnded: () => boolean;
}

/** The log of a run, over all its parts, oldest first. */
export async function* readLog(run: LoggedRun, options: LogOptions, clock: Clock): AsyncIterable<Buffer> {
  const { follow, signal, tailLines } = options;
  const notice = follow ? new WriteNotice(run.folder) : undefined;
  try {
    let at = tailLines === undefined ? 0 : await startOfTail(run.folder, tailLines);
    while (!signal?.aborted) {
      // Asked before the read: what was written before the end is read after it.
      const isWhole = !notice || run.hasEnded();
      const seen = notice?.count ?? 0;
      const piece = await readPiece(run.folder, at);
      if (piece) {
        yield piece.bytes;
        at = piece.until;
      } else if (isWhole) return;
      else await notice?.after(seen, clock, signal);
    }
  } finally {
    notice?.close();
  }
}

/** Some bytes from a place on, and where they end; undefined at the end of what is written. */
async function readPiece(folder: string, at: number): Promise<{ bytes: Buffer; until: number } | undefined> {
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
    return bytes === undefined || bytes.length === 0 ? undefined : { bytes, until: from + bytes.length };
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

/** Where the last lines begin. A line without an end counts as one. */
async function startOfTail(folder: string, lines: number): Promise<number> {
  const starts: number[] = [];
  let at = 0;
  let lineStart: number | undefined;
  for (let piece = await readPiece(folder, at); piece; piece = await readPiece(folder, at)) {
    const from = piece.until - piece.bytes.length;
    lineStart ??= from;
    for (let index = piece.bytes.indexOf(10); index >= 0; index = piece.bytes.indexOf(10, index + 1)) {
      starts.push(lineStart);
      lineStart = from + index + 1;
    }
    starts.splice(0, starts.length - lines - 1);
    at = piece.until;
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
