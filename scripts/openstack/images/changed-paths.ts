import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** How a folder differs from another, in paths from their roots. */
export interface ChangedPaths {
  /** New, or not the same; a folder comes before what is in it. */
  readonly changed: readonly string[];
  /** There below and not here; what was in a folder that is gone is not named. */
  readonly gone: readonly string[];
}

/**
 * How a root differs from the one that it began as, told by what `cp -a` keeps: kind, mode, owner, size and time of each file. `without`
 * names folders at the top whose contents count for nothing.
 */
export function changedPaths(
  root: string,
  below: string | undefined,
  without: readonly string[] = [],
): ChangedPaths {
  const changed: string[] = [];
  const gone: string[] = [];
  const compare = (folder: string, isThereBelow: boolean) => {
    const names = namesIn(join(root, folder));
    const before = isThereBelow ? namesIn(join(below ?? '', folder)) : [];
    for (const name of names) {
      const path = join(folder, name);
      const here = lstatSync(join(root, path));
      const was = before.includes(name) ? lstatSync(join(below ?? '', path)) : undefined;
      if (!was || !isSame(here, was, () => hasSameTarget(path))) changed.push(path);
      if (here.isDirectory() && !without.includes(path)) compare(path, was?.isDirectory() ?? false);
    }
    const here = new Set(names);
    gone.push(...before.filter(name => !here.has(name)).map(name => join(folder, name)));
  };
  const hasSameTarget = (path: string) =>
    readlinkSync(join(root, path)) === readlinkSync(join(below ?? '', path));
  compare('', below !== undefined);
  return { changed, gone };
}

const namesIn = (folder: string) => readdirSync(folder).toSorted();

function isSame(one: Stats, other: Stats, hasSameTarget: () => boolean): boolean {
  if (one.mode !== other.mode || one.uid !== other.uid || one.gid !== other.gid) return false;
  // When something in it changed says nothing of a folder itself.
  if (one.isDirectory()) return true;
  if (one.isSymbolicLink()) return hasSameTarget();
  return one.size === other.size && one.mtimeMs === other.mtimeMs;
}
