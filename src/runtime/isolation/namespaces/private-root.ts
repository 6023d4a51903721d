import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { bind, type MountLine, overlay } from './mount-line.ts';

/** More entries than this are not mounted one by one. */
const mostEntries = 500;

/**
 * Makes an empty folder or file to mount on, below a folder of ours. Folders on the way that the layer below has get its owner and mode,
 * because the upper layer's are those that are seen.
 */
export function makeMountPoint(upper: string, lower: string, path: string, isFolder: boolean): void {
  const names = path.split('/').filter(Boolean);
  const folders = isFolder ? names : names.slice(0, -1);
  makeLike(upper, lower);
  folders.forEach((_, index) => {
    const way = join(...folders.slice(0, index + 1));
    makeLike(join(upper, way), join(lower, way));
  });
  if (!isFolder) closeSync(openSync(join(upper, path), 'a', 0o644));
}

function makeLike(folder: string, model: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o755 }) === undefined) return;
  try {
    const { mode, uid, gid } = statSync(model);
    chownSync(folder, uid, gid);
    chmodSync(folder, mode);
  } catch {
    chmodSync(folder, 0o755);
  }
}

/** A folder with a private upper layer: what is new in it is in `layer`, and the folder itself stays as it is. */
export function layerOver(lower: string, layer: string, at: string): MountLine {
  makeLike(join(layer, 'upper'), lower);
  mkdirSync(join(layer, 'work'), { recursive: true });
  return overlay({ lower, upper: join(layer, 'upper'), work: join(layer, 'work'), at });
}

/**
 * A folder made of the entries of another one, each mounted by itself: for folders that have mounts below them, which a layer would
 * hide. `copy` is filled; it is, or becomes, what is at `at`.
 */
export function mountEntries(original: string, copy: string, at: string): MountLine[] {
  makeLike(copy, original);
  const names = readdirSync(original);
  if (names.length > mostEntries) {
    throw new CodedError(
      'MountRefused',
      `${original} has too many entries to add a mount point there privately`,
    );
  }
  return names.flatMap(name => {
    const path = join(original, name);
    const place = join(copy, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) {
      ignoreThere(() => symlinkSync(readlinkSync(path), place));
      return [];
    }
    makeMountPoint(copy, original, name, stats.isDirectory());
    return [bind(path, join(at, name), { readOnly: false, recursive: stats.isDirectory() })];
  });
}

/** The few devices that every program may count on, without those of the machine. */
export function smallDev(folder: string, at: string): MountLine[] {
  mkdirSync(join(folder, 'shm'), { recursive: true });
  chmodSync(join(folder, 'shm'), 0o1777);
  chmodSync(folder, 0o755);
  const links = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' };
  for (const [name, to] of Object.entries(links)) ignoreThere(() => symlinkSync(to, join(folder, name)));
  const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
  for (const name of devices) makeMountPoint(folder, dirname(folder), name, false);
  return [
    bind(folder, at, { readOnly: false, recursive: false }),
    ...devices.map(name => bind(join('/dev', name), join(at, name), { readOnly: false, recursive: false })),
  ];
}

/** An earlier attempt may have made it. */
function ignoreThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
