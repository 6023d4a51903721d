import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * The highest version that was acknowledged, in a small file beside the database. SQLite drops the end of a damaged
 * write-ahead log without a word, and takes an emptied file for a new one; with this number the loss is noticed.
 *
 * Written after each commit and never synced: it may lie behind what is durable, but never ahead of it, whatever the machine
 * does. So a database that lies behind the number has lost something. A write of it that fails costs nothing but that: the
 * commit stands, and the next one writes the number again.
 */
export class Acknowledged {
  static readonly fileName = 'acknowledged';
  readonly #file: number;
  readonly #bytes = Buffer.alloc(26);

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens the file and writes its bytes, so that they have their room on the disk from now on. Throws where there is none. */
  static open(folder: string): Acknowledged {
    const known = Acknowledged.read(folder);
    const path = join(folder, Acknowledged.fileName);
    const opened = new Acknowledged(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
    try {
      opened.#write(known);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  /** The number in a folder; 0 where there is none that can be read. */
  static read(folder: string): number {
    try {
      const [digits = '', sum] = readFileSync(join(folder, Acknowledged.fileName), 'utf8').trim().split(' ');
      return sum === checksum(digits) ? Number(digits) : 0;
    } catch {
      return 0;
    }
  }

  write(version: number): void {
    try {
      this.#write(version);
    } catch {
      // A full or failing disk: what is committed is committed.
    }
  }

  #write(version: number): void {
    // Always the same length, in one small write: it is there as a whole or not at all.
    const digits = String(version).padStart(16, '0');
    this.#bytes.write(`${digits} ${checksum(digits)}\n`, 'latin1');
    writeSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function checksum(digits: string): string {
  return crc32(digits).toString(16).padStart(8, '0');
}
