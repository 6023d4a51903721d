import { chmod, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestBytes } from '../../../base/digest.ts';
import type { VolumeFile } from './volume-content.ts';

/** The link that is exchanged, so that all files of a volume change at once. */
const dataLink = '..data';
const newDataLink = '..data_tmp';

/**
 * Puts files into a folder as a kubelet does: what is seen are links into `..data`, which is a link to a folder of its own for each
 * version. Who reads sees all of the old or all of the new. Leaves a folder alone that has these files already.
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, VolumeFile>): Promise<void> {
  const before = await readlink(join(folder, dataLink)).catch(() => undefined);
  const digest = digestOf(files);
  const names = new Set([...files.keys()].map(path => path.split('/')[0] ?? path));
  // The name says what is in it: a version that was written by an earlier process of ours is known again. Links may be missing that it was
  // about to make when it was cut off.
  if (before?.startsWith(`..${digest}`)) return showFiles(folder, names);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const version = await mkdtemp(join(folder, `..${digest}.`));
  await chmod(version, 0o755);
  for (const [path, { bytes, mode }] of files) {
    await mkdir(dirname(join(version, path)), { recursive: true, mode: 0o755 });
    await writeFile(join(version, path), bytes, { mode });
    // What the umask took away.
    await chmod(join(version, path), mode);
  }
  await rm(join(folder, newDataLink), { force: true });
  await symlink(version.slice(folder.length + 1), join(folder, newDataLink));
  await rename(join(folder, newDataLink), join(folder, dataLink));
  await showFiles(folder, names);
  await clearAway(folder, version.slice(folder.length + 1));
}

/** True when files were put into this folder before. */
export async function isWritten(folder: string): Promise<boolean> {
  return (await readlink(join(folder, dataLink)).catch(() => undefined)) !== undefined;
}

/** Links for what is new, none for what is no longer there. */
async function showFiles(folder: string, names: ReadonlySet<string>): Promise<void> {
  const there = (await readdir(folder)).filter(name => !name.startsWith('..'));
  for (const name of names) {
    if (!there.includes(name)) await symlink(join(dataLink, name), join(folder, name));
  }
  for (const name of there) {
    if (!names.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Old versions go, also those of a write that was cut off. */
async function clearAway(folder: string, current: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('..') || name === dataLink || name === current) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function digestOf(files: ReadonlyMap<string, VolumeFile>): string {
  const listed = [...files].map(([path, { bytes, mode }]) => [path, mode, bytes.toString('base64')]);
  return digestBytes(JSON.stringify(listed.sort())).replace(/^.*:/, '').slice(0, 16);
}
