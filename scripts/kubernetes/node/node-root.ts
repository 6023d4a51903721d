import { execFile } from 'node:child_process';
import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a folder a layer that has the Node of this process at /usr/local/bin/node, and the libraries it needs where it looks for them. */
export async function makeNodeRoot(folder: string): Promise<void> {
  await putProgram(folder, process.execPath, '/usr/local/bin/node');
}

/** Puts a program of this machine into a root, at the same place unless told, with the libraries it needs where it looks for them. */
export async function putProgram(folder: string, program: string, at = program): Promise<void> {
  const file = await realpath(program);
  await putFile(file, join(folder, at));
  for (const library of await librariesOf(file)) await putFile(library, join(folder, library));
}

/** Copies a file; of a link, what it leads to. */
export async function putFile(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(file, to, { dereference: true });
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]).catch((error: { stderr?: string }) => {
    // One that Go built needs none.
    if (/not a dynamic executable/.test(error.stderr ?? '')) return { stdout: '' };
    throw error;
  });
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(match => match[1] ?? '');
}
