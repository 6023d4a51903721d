import { randomUUID } from 'node:crypto';
import { access, chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finding } from '../../api/finding.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Digest } from '../../base/digest.ts';
import type { PackageFiles, PackageRead } from '../../package/source.ts';

/** Where packages are read from by content. */
export interface PackagesByDigest {
  readDigest(digest: Digest): Promise<PackageRead>;
}

export type UnpackedPackage =
  | { readonly ok: true; readonly folder: string }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** What a crash left is removed when it is this old: whoever was at work on it is long gone. */
const staleMilliseconds = 3_600_000;

/**
 * Puts the files of a package into `<folder>/<digest in hex>`, readable by everybody, and returns that folder. It is there as a
 * whole or not at all: it is made beside and moved, so one that is there is used as it is. May be called side by side. Throws
 * `StateFolderFailed` where the folder cannot be written.
 */
export async function unpackPackage(
  packages: PackagesByDigest,
  digest: Digest,
  folder: string,
): Promise<UnpackedPackage> {
  const hex = digest.replace(/^sha256:/, '');
  const place = join(folder, hex);
  if (await isThere(place)) return { ok: true, folder: place };
  const read = await packages.readDigest(digest);
  if (!read.ok) return read;
  const beside = join(folder, `.${hex}-${randomUUID()}`);
  try {
    await removeStale(folder, hex);
    await makeFolder(beside);
    await writeFiles(beside, read.files);
    await moveTo(beside, place);
  } catch (error) {
    await rm(beside, { recursive: true, force: true }).catch(() => {}); // the first failure is the one to tell
    throw new CodedError('StateFolderFailed', `package ${hex} cannot be unpacked below ${folder}`, {
      cause: error,
    });
  }
  return { ok: true, folder: place };
}

async function isThere(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  );
}

async function removeStale(folder: string, hex: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`.${hex}-`)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > staleMilliseconds)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Modes are set by themselves: the mask of the process would take some away. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o755);
}

async function writeFiles(root: string, files: PackageFiles): Promise<void> {
  const made = new Set([root]);
  for (const { path, bytes, executable } of files) {
    const place = join(root, path);
    for (const folder of foldersAbove(place, root)) {
      if (made.has(folder)) continue;
      await makeFolder(folder);
      made.add(folder);
    }
    const file = await open(place, 'wx');
    try {
      await file.writeFile(bytes);
      await file.chmod(executable ? 0o755 : 0o644);
      // Moved means complete: also after the machine lost its power.
      await file.sync();
    } finally {
      await file.close();
    }
  }
  for (const folder of made) await syncFolder(folder);
}

/** From the top down, without the root. */
function foldersAbove(place: string, root: string): string[] {
  const parent = dirname(place);
  return parent === root ? [] : [...foldersAbove(parent, root), parent];
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveTo(beside: string, place: string): Promise<void> {
  try {
    await rename(beside, place);
  } catch (error) {
    // Somebody else was quicker: what is there is complete, and the same.
    if (!(await isThere(place))) throw error;
    await rm(beside, { recursive: true, force: true });
  }
  await syncFolder(dirname(place));
}
