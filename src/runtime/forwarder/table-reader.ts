import { statSync } from 'node:fs';
import { textOf } from './forwarder-files.ts';
import { type ForwarderProgram, type ForwardingTable, parseTable, programIn } from './forwarding-table.ts';

/** Reads the table when its file changed, and keeps the last good one. */
export class TableReader {
  readonly #path: string;
  #seen = '';
  #table: ForwardingTable | undefined;
  #problem: string | undefined;
  #program: ForwarderProgram | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The last good table. */
  get table(): ForwardingTable | undefined {
    return this.#table;
  }

  /** Who shall forward, also by a table that is not understood. */
  get program(): ForwarderProgram | undefined {
    return this.#program;
  }

  /** What is wrong with the file as it is now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Looks at the file; true when something is to be done about it. Cheap where nothing changed. */
  look(): boolean {
    const seen = stampOf(this.#path);
    if (seen === this.#seen) return false;
    this.#seen = seen;
    const text = textOf(this.#path);
    const table = text === undefined ? 'there is no table' : parseTable(text);
    this.#program = programIn(text ?? '') ?? this.#program;
    if (typeof table === 'string') this.#problem = table;
    else {
      this.#problem = undefined;
      this.#table = table;
    }
    return true;
  }
}

/** Another text for another file: a table is a new file each time. */
function stampOf(path: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    return 'none';
  }
}
