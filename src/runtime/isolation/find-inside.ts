import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Where a path inside a folder really is, on the machine and without links. */
export interface PlaceInside {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Follows a path inside a folder the way the machine does, links included; undefined where it leaves the folder or a link leads nowhere.
 * Containers write to their volumes: a link in one must not lead us out of it. The path must not contain `..`.
 */
export function findInside(folder: string, path: string): PlaceInside | undefined {
  const root = realpathSync(folder);
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  let at = root;
  for (const [index, name] of names.entries()) {
    const next = join(at, name);
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats) return { path: join(at, ...names.slice(index)), exists: false };
    const real = realOf(next, stats);
    if (real === undefined || !isWithin(real, root)) return undefined;
    at = real;
  }
  return { path: at, exists: true };
}

function realOf(path: string, stats: Stats): string | undefined {
  if (!stats.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}
