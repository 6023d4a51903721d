import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import type { PackageLimits, PackageRead, PackageSource } from '../source.ts';
import { PackageTree, type TreeEntry } from './package-tree.ts';
import { unreadable } from './unreadable.ts';

/** Reads packages that are folders. A location is taken from `base`, the folder of the record. */
export class FolderSource implements PackageSource {
  readonly #base: string;
  readonly #limits: PackageLimits | undefined;

  constructor(base: string, limits?: PackageLimits) {
    this.#base = base;
    this.#limits = limits;
  }

  async read({ location }: Source): Promise<PackageRead> {
    try {
      // The location itself may be a link (`current`): it is the operator's, not the package's.
      const root = await realpath(resolve(this.#base, location));
      if (!(await lstat(root)).isDirectory()) return { ok: false, findings: [notAFolder(location)] };
      const tree = new PackageTree(location, this.#limits);
      await addFolder(tree, root, '');
      return tree.finish();
    } catch (error) {
      return { ok: false, findings: [unreadable(location, error)] };
    }
  }
}

async function addFolder(tree: PackageTree, root: string, folder: string): Promise<void> {
  const items = await readdir(join(root, folder), { withFileTypes: true });
  for (const item of items) {
    if (tree.isFull) return;
    const path = folder === '' ? item.name : `${folder}/${item.name}`;
    if (tree.leavesOut(path)) continue;
    const content = await readContent(tree, { root, path, item });
    if (content === undefined) return;
    tree.add({ path, content });
    if (content.type === 'folder') await addFolder(tree, root, path);
  }
}

/** What one item of a folder is; nothing when there is no room left for it. */
async function readContent(
  tree: PackageTree,
  { root, path, item }: { root: string; path: string; item: Dirent },
): Promise<TreeEntry['content'] | undefined> {
  const place = join(root, path);
  if (item.isDirectory()) return { type: 'folder' };
  if (item.isSymbolicLink()) return { type: 'symlink', target: await readlink(place) };
  if (!item.isFile()) return { type: 'other', what: describe(item) };
  // Not followed and not waited for, in case the file became a link or a pipe since the folder was listed.
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size, mode } = await file.stat();
    if (!tree.takeRoom(path, size)) return undefined;
    return { type: 'file', bytes: await readUpTo(file, size), executable: (mode & 0o100) !== 0 };
  } finally {
    await file.close();
  }
}

/** The first `size` bytes and not one more, even where the file grows meanwhile. */
async function readUpTo(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function describe(item: Dirent): string {
  if (item.isFIFO()) return 'a pipe';
  if (item.isSocket()) return 'a socket';
  return item.isBlockDevice() || item.isCharacterDevice() ? 'a device' : 'neither file, folder nor link';
}

function notAFolder(location: string) {
  const advice = 'Name the folder of the package, or use `type: tar` for an archive.';
  return finding('PackageInvalid', `package ${location} is a file, not a folder`, {}, advice);
}
