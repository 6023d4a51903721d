/** The database: a file of rows that every copy of the service appends to, and the marks of its schema. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export class Rows {
  #file;
  #marks;
  #seen = { inode: 0, offset: 0, tail: '' };
  #tables = new Map();

  constructor(folder) {
    this.#file = join(folder, 'rows.jsonl');
    this.#marks = join(folder, 'schema.json');
  }

  /** Which schema there is; nothing where there is no database. */
  schema() {
    try {
      return JSON.parse(readFileSync(this.#marks, 'utf8'));
    } catch {
      return undefined;
    }
  }

  mark(marks) {
    replaceFile(this.#marks, JSON.stringify(marks));
  }

  /** Returns when the row is on the disk. */
  write(table, id, row) {
    appendFileSync(this.#file, `${JSON.stringify({ table, id, row })}\n`, { flush: true });
  }

  find(table, id) {
    return this.#read().get(`${table}/${id}`);
  }

  all(table) {
    return [...this.#read()].filter(([key, row]) => key.startsWith(`${table}/`) && row).map(([, row]) => row);
  }

  /** Everything as it is now, line by line, without what was overwritten. */
  dump() {
    const lines = [...this.#read()]
      .filter(([, row]) => row)
      .map(([key, row]) => {
        const [table, id] = key.split('/');
        return JSON.stringify({ table, id, row });
      });
    return lines.map(line => `${line}\n`).join('');
  }

  load(dump) {
    replaceFile(this.#file, dump);
  }

  /** What was appended since the last look; all of it where the file is another one. */
  #read() {
    let file;
    try {
      file = openSync(this.#file, 'r');
    } catch {
      return new Map();
    }
    const { ino, size } = fstatSync(file);
    if (ino !== this.#seen.inode || size < this.#seen.offset) {
      this.#seen = { inode: ino, offset: 0, tail: '' };
      this.#tables = new Map();
    }
    const bytes = Buffer.alloc(size - this.#seen.offset);
    readSync(file, bytes, 0, bytes.length, this.#seen.offset);
    closeSync(file);
    this.#seen.offset = size;
    const lines = (this.#seen.tail + bytes.toString()).split('\n');
    this.#seen.tail = lines.pop();
    for (const line of lines) {
      const { table, id, row } = JSON.parse(line);
      this.#tables.set(`${table}/${id}`, row);
    }
    return this.#tables;
  }
}

/** The whole file or none of it. */
export function replaceFile(path, text) {
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, text);
  const file = openSync(beside, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(beside, path);
}
