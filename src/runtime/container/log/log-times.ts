import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { logParts } from './log-segments.ts';

/**
 * Containers write their logs themselves, so no line has a time. Whoever minds the logs notes now and then how far one has come and when
 * it was last written to: a line is as old as the first note that has it. That is late by the pause between two looks at most, and
 * by as long as nobody looked.
 */
export interface LogMark {
  /** Everything before this byte of the stream was there. */
  readonly until: number;
  readonly milliseconds: number;
}

const timesName = 'log.times';

/** So many notes are kept: of more, the older ones are thinned out. */
const mostMarks = 20_000;

/** Notes how far a log has come, where it went on since; answers with how far. */
export async function markLog(folder: string, markedUntil: number | undefined): Promise<number> {
  const file = join(folder, timesName);
  const known = markedUntil ?? readMarks(folder).at(-1)?.until ?? 0;
  const live = lastWrite(folder);
  if (live === undefined || live.until <= known) return known;
  // Begins with an end of line: what a crash cut off before stays a line of its own.
  await appendFile(file, `\n${lineOf(live)}`, { mode: 0o600 });
  if ((await stat(file)).size > mostMarks * bytesOfMark) thinOut(folder);
  return live.until;
}

const bytesOfMark = 32;

/** Forgets the notes about what is no longer kept, and every second one of the others but the newest. */
function thinOut(folder: string): void {
  const { segments, liveFrom } = logParts(folder);
  const from = segments[0]?.from ?? liveFrom;
  const marks = readMarks(folder).filter(({ until }) => until > from);
  const old = marks.length - mostMarks / 4;
  const kept = marks.filter((_, index) => index > old || index % 2 === 0);
  const unfinished = join(folder, `${timesName}.unfinished`);
  writeFileSync(unfinished, kept.map(lineOf).join(''), { mode: 0o600 });
  renameSync(unfinished, join(folder, timesName));
}

/** When the bytes of a log were written, as far as it is known now. */
export class LogTimes {
  readonly #marks: readonly LogMark[];
  /** The first byte of which nothing is known yet. */
  readonly until: number;

  constructor(folder: string) {
    const marks = readMarks(folder);
    const live = lastWrite(folder);
    this.#marks = live && live.until > (marks.at(-1)?.until ?? 0) ? [...marks, live] : marks;
    this.until = this.#marks.at(-1)?.until ?? 0;
  }

  /** When this byte was there; undefined where nobody has seen it. */
  at(byte: number): Date | undefined {
    const mark = this.#marks[firstIndex(this.#marks, ({ until }) => until > byte)];
    return mark && new Date(mark.milliseconds);
  }

  /** The first byte that was not there before this moment. */
  firstSince(milliseconds: number): number {
    const index = firstIndex(this.#marks, mark => mark.milliseconds >= milliseconds);
    return this.#marks[index - 1]?.until ?? 0;
  }
}

/** What is not a whole note was cut off by a crash. */
function readMarks(folder: string): LogMark[] {
  let text = '';
  try {
    text = readFileSync(join(folder, timesName), 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [...text.matchAll(/^(\d+) (\d+)\n/gm)].map(([, until, milliseconds]) => ({
    until: Number(until),
    milliseconds: Number(milliseconds),
  }));
}

function lastWrite(folder: string): LogMark | undefined {
  const { liveBase } = logParts(folder);
  try {
    const { size, mtimeMs } = statSync(join(folder, 'log'));
    return { until: liveBase + size, milliseconds: Math.floor(mtimeMs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function lineOf({ until, milliseconds }: LogMark): string {
  return `${until} ${milliseconds}\n`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The index of the first that fits, in a list where all after it do; its length where none does. */
function firstIndex(marks: readonly LogMark[], fits: (mark: LogMark) => boolean): number {
  let [from, until] = [0, marks.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    const mark = marks[middle];
    if (mark && fits(mark)) until = middle;
    else from = middle + 1;
  }
  return from;
}
