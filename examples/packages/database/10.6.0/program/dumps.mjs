/** Files beside the data in which clients keep dumps. They are taken as they come, whole or not at all. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from './http.mjs';
import { syncFolder } from './record-file.mjs';

const plainName = /^[a-z0-9][a-z0-9.-]{0,200}$/;

export class Dumps {
  #folder;
  #count = 0;

  constructor(folder) {
    this.#folder = folder;
  }

  async open() {
    await mkdir(this.#folder, { recursive: true });
    // What a crash left half written belongs to nobody.
    for (const name of await readdir(this.#folder)) {
      if (name.endsWith('.part')) await rm(join(this.#folder, name));
    }
  }

  async list() {
    const names = (await readdir(this.#folder)).filter(name => !name.endsWith('.part')).sort();
    return Promise.all(
      names.map(async name => {
        const { size, mtimeMs } = await stat(join(this.#folder, name));
        return { name, bytes: size, at: mtimeMs };
      }),
    );
  }

  async read(name) {
    return readFile(this.#pathOf(name)).catch(error => {
      throw error.code === 'ENOENT' ? new Refused(404, `no dump ${name}`) : error;
    });
  }

  async write(name, bytes) {
    const path = this.#pathOf(name);
    this.#count += 1;
    const part = `${path}.${this.#count}.part`;
    const file = await open(part, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    await syncFolder(this.#folder);
  }

  #pathOf(name) {
    if (!plainName.test(name) || name.endsWith('.part'))
      throw new Refused(400, `no name for a dump: ${name}`);
    return join(this.#folder, name);
  }
}
