/** A file that only grows: one change a line. A change is acknowledged when it is on the disk. */
import { mkdir, open, readFile, rename, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Reads every change back. What a crash left of a last line was never acknowledged, and is cut off. */
export async function readChanges(path) {
  const bytes = await readFile(path).catch(error => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) await truncate(path, end);
  return bytes
    .subarray(0, end)
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}

export class RecordFile {
  #file;
  #waiting = [];
  #isWriting = false;
  #failure;

  constructor(file) {
    this.#file = file;
  }

  static async open(path) {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a');
    await syncFolder(dirname(path)); // or the file itself might be forgotten
    return new RecordFile(file);
  }

  /** Resolves when the change is durable. Changes that come while the disk is busy share one trip to it. */
  append(change) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(change)}\n`, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write() {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        // After a write that failed nobody knows what the file ends with: nothing more is taken until it is read again.
        if (this.#failure) throw this.#failure;
        await this.#file.appendFile(batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#failure = error;
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }
}

/** Writes a file that holds these changes and no others, in place of the one that is there: whole or not at all. */
export async function writeChanges(path, changes) {
  await mkdir(dirname(path), { recursive: true });
  const part = await open(`${path}.part`, 'w');
  try {
    await part.writeFile(changes.map(change => `${JSON.stringify(change)}\n`).join(''));
    await part.sync();
  } finally {
    await part.close();
  }
  await rename(`${path}.part`, path);
  await syncFolder(dirname(path));
}

/** Makes sure that names in a folder are durable. */
export async function syncFolder(path) {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
