import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';

/** How a file that is there differs from what would be generated. */
export interface Difference {
  readonly path: string;
  readonly state: 'missing' | 'stale' | 'extra';
}

/** Every file below the folders that is not as it would be generated. */
export async function compareFiles(
  root: string,
  folders: readonly string[],
  wanted: readonly GeneratedFile[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { path, content } of wanted) {
    const there = await readFile(join(root, path), 'utf8').catch(() => undefined);
    if (there === undefined) differences.push({ path, state: 'missing' });
    else if (there !== content) differences.push({ path, state: 'stale' });
  }
  const known = new Set(wanted.map(file => file.path));
  for (const path of await filesBelow(root, folders)) {
    if (!known.has(path)) differences.push({ path, state: 'extra' });
  }
  return differences;
}

/** Makes the folders hold the wanted files and nothing else; answers what was changed. */
export async function writeFiles(
  root: string,
  folders: readonly string[],
  wanted: readonly GeneratedFile[],
): Promise<Difference[]> {
  const differences = await compareFiles(root, folders, wanted);
  const contents = new Map(wanted.map(file => [file.path, file.content]));
  for (const { path } of differences) {
    const content = contents.get(path);
    if (content === undefined) await rm(join(root, path));
    else {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
  }
  return differences;
}

async function filesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async folder => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1));
    }),
  );
  return found.flat();
}
