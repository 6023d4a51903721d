import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A note of who holds a folder, for the message to whoever comes second. It is only a note: the lock itself is the
 * kernel's, on the database file, and ends with the process that has it, however that ends. So no process id is ever
 * trusted, and the lock of a dead holder needs nobody to take it away.
 */
const noteName = 'holder';

export function noteHolder(folder: string): void {
  writeFileSync(join(folder, noteName), `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 });
}

/** Who noted itself last. */
export function readHolder(folder: string): string {
  try {
    return readFileSync(join(folder, noteName), 'utf8').trim() || 'another process';
  } catch {
    return 'another process';
  }
}
