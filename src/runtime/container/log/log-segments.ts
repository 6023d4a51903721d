import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The log of a run is one stream of bytes, counted from its beginning. The program appends to the file `log`; the manager moves the older
 * part of it into segments, whose names say which bytes they hold. The name appears in one step, so a crash loses and repeats nothing.
 */
export interface LogSegment {
  readonly file: string;
  readonly from: number;
  readonly until: number;
  /** The file `log` was emptied after this segment: its first byte follows the segment's last. */
  readonly wasCut: boolean;
}

export interface LogParts {
  /** Oldest first. There may be gaps where a program wrote faster than anybody could keep. */
  readonly segments: readonly LogSegment[];
  /** The byte at which the file `log` goes on after the last segment. */
  readonly liveFrom: number;
  /** Which byte of the stream the first one of the file `log` is. */
  readonly liveBase: number;
}

/** A segment without bytes: what was before it and in no other segment was dropped. */
export function isMarker({ from, until }: LogSegment): boolean {
  return from === until;
}

export function segmentName({ from, until, wasCut }: Omit<LogSegment, 'file'>): string {
  const digits = (number: number) => String(number).padStart(16, '0');
  return `log.${digits(from)}-${digits(until)}${wasCut ? '.cut' : ''}`;
}

/** The parts of a run's log as they are now. */
export function logParts(folder: string): LogParts {
  const segments = readdirSync(folder)
    .toSorted()
    .flatMap((name): LogSegment[] => {
      const [, from, until, cut] = /^log\.(\d{16})-(\d{16})(\.cut)?$/.exec(name) ?? [];
      if (from === undefined || until === undefined) return [];
      return [
        { file: join(folder, name), from: Number(from), until: Number(until), wasCut: cut !== undefined },
      ];
    });
  return {
    segments,
    liveFrom: segments.at(-1)?.until ?? 0,
    liveBase: segments.findLast(segment => segment.wasCut)?.until ?? 0,
  };
}
