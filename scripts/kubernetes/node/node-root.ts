import { execFile } from 'node:child_process';
import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a folder a layer that has the Node of this process at /usr/local/bin/node, and the libraries it needs where it looks for them. */
export async function makeNodeRoot(folder: string): Promise<void> {
  const program = await realpath(process.execPath);
  const { stdout } = await run('ldd', [program]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(match => match[1] ?? '');
  await put(program, join(folder, 'usr/local/bin/node'));
  for (const library of libraries) await put(library, join(folder, library));
}

async function put(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(file, to, { dereference: true });
}
