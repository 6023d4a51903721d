import { lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Mount } from '../../container/containers.ts';
import type { Refusal } from '../isolation.ts';

/**
 * Volumes without mounts: links under a folder of the run, which is `$POD_ROOT`. A mount inside another becomes a link inside that
 * volume, as a real mount makes its mount point there. Read-only is not kept: there is nobody to keep it.
 */
export async function linkMounts(
  mounts: readonly Mount[],
  runFolder: string,
): Promise<{ readonly root: string } | Refusal> {
  const root = join(runFolder, 'root');
  await mkdir(root, { recursive: true, mode: 0o755 });
  // Outer ones first: an inner one finds the link of the outer one.
  for (const { source, target } of mounts.toSorted((a, b) => depth(a.target) - depth(b.target))) {
    if (depth(target) === 0) return { refused: 'a volume at / needs namespaces, that is, root' };
    const place = join(root, posix.normalize(target));
    await mkdir(dirname(place), { recursive: true, mode: 0o755 });
    try {
      await symlink(source, place);
    } catch {
      if (!(await leadsTo(place, source))) {
        return {
          refused: `${target}: something is there already, and covering it needs namespaces, that is, root`,
        };
      }
    }
  }
  return { root };
}

/** Whether an earlier attempt made this very link. */
async function leadsTo(place: string, source: string): Promise<boolean> {
  try {
    if (!(await lstat(place)).isSymbolicLink()) return false;
    return (await readlink(place)) === source || (await realpath(place)) === (await realpath(source));
  } catch {
    return false;
  }
}

const depth = (target: string): number => posix.normalize(target).split('/').filter(Boolean).length;
