import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';

/** Where a path leads inside a root, with links followed as a program in that root would see them. */
export interface PlaceInRoot {
  /** Without links, from the root on. What does not exist is named as it is. */
  readonly path: string;
  readonly exists: boolean;
  /** The last folder on the way that exists; the parent or more. */
  readonly nearest: string;
}

/** As many as the kernel follows. */
const mostLinks = 40;

/** Follows a path inside a root folder. Never leaves it: above the root is the root. */
export function findInRoot(root: string, path: string): PlaceInRoot {
  const rest = posix.normalize(path).split('/').filter(Boolean);
  let at = '/';
  for (let links = 0; rest.length > 0; ) {
    const name = rest.shift() ?? '';
    if (name === '..') {
      at = posix.dirname(at);
      continue;
    }
    const next = posix.join(at, name);
    const stats = statsOf(join(root, next));
    if (!stats) return { path: posix.join(next, ...rest), exists: false, nearest: at };
    if (stats.isSymbolicLink()) {
      if (++links > mostLinks) return { path: posix.join(next, ...rest), exists: false, nearest: at };
      const to = readlinkSync(join(root, next));
      if (to.startsWith('/')) at = '/';
      rest.unshift(...to.split('/').filter(part => part !== '' && part !== '.'));
      continue;
    }
    at = next;
  }
  return { path: at, exists: true, nearest: at };
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
