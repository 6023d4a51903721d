import type { BodyEnd } from './message-head.ts';

/** A size line or a trailer longer than this is no honest one. */
const longestLine = 16_384;
const [cr, lf] = [0x0d, 0x0a];

/**
 * Finds where the body of one message ends in the bytes that come, however they are cut. Bodies are passed on as they are; only
 * the sizes of chunks are read.
 */
export class BodyFraming {
  /** All bytes of the message were seen. */
  done: boolean;
  readonly #by: BodyEnd['by'];
  /** Bytes of the body, or of the chunk and the line end after it, that are still to come. */
  #left: number;
  /** Where in the chunks we are: the line of a size, the bytes of a chunk, a line of the trailer. */
  #in: 'size' | 'chunk' | 'trailer' = 'size';
  /** The line so far, of a size or a trailer. */
  #line = '';
  #trailerLength = 0;

  constructor(body: BodyEnd) {
    this.#by = body.by;
    this.#left = body.by === 'length' ? body.length : 0;
    this.done = body.by === 'none';
  }

  /** How far the message reaches in these bytes, counted from `from`: the index after its last byte; -1 when it is broken. */
  take(bytes: Buffer, from: number): number {
    if (this.done) return from;
    if (this.#by === 'close') return bytes.length;
    if (this.#by === 'chunks') return this.#takeChunks(bytes, from);
    const end = this.#pass(bytes, from);
    this.done = this.#left === 0;
    return end;
  }

  #pass(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    return end;
  }

  #takeChunks(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && !this.done) {
      if (this.#in === 'chunk' && this.#left > 2) {
        // The line end after the chunk is looked at, what is before it is not.
        this.#left -= 2;
        at = this.#pass(bytes, at);
        this.#left += 2;
        continue;
      }
      at = this.#in === 'chunk' ? this.#chunkEnd(bytes, at) : this.#takeLine(bytes, at);
      if (at < 0) return -1;
    }
    return at;
  }

  #chunkEnd(bytes: Buffer, at: number): number {
    if (bytes[at] !== (this.#left === 2 ? cr : lf)) return -1;
    this.#left -= 1;
    if (this.#left === 0) this.#in = 'size';
    return at + 1;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lf, at);
    const stop = end < 0 ? bytes.length : end + 1;
    if (this.#line.length + stop - at > longestLine) return -1;
    this.#line += bytes.toString('latin1', at, stop);
    if (end < 0) return stop;
    const line = this.#line;
    this.#line = '';
    return (this.#in === 'size' ? this.#sizeLine(line) : this.#trailerLine(line)) ? stop : -1;
  }

  #sizeLine(line: string): boolean {
    const [, digits] = /^([0-9a-fA-F]{1,12})(?:[ \t]*;[^\r\n]*)?\r\n$/.exec(line) ?? [];
    if (digits === undefined) return false;
    const size = Number.parseInt(digits, 16);
    this.#in = size === 0 ? 'trailer' : 'chunk';
    this.#left = size + 2;
    return true;
  }

  #trailerLine(line: string): boolean {
    this.#trailerLength += line.length;
    this.done = line === '\r\n';
    const isField = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n$/.test(line);
    return this.done || (isField && this.#trailerLength <= longestLine);
  }
}
