import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOver, processIdentity } from './process-identity.ts';

const prefix = 'afloat-kubernetes-';
const ownerFile = 'owner';

/** A folder without an owner is one that is just being made, or one whose maker died within that instant. */
const ownerlessSeconds = 3600;

/**
 * A new folder for everything of one run, readable only by us. It remembers which process it belongs to; folders of
 * runs that were killed are removed first.
 */
export async function makeRunFolder(parent: string = tmpdir()): Promise<string> {
  await sweepRunFolders(parent);
  const folder = await mkdtemp(join(parent, prefix));
  await writeFile(join(folder, ownerFile), (await processIdentity()) ?? '');
  return folder;
}

/** Removes the folders of runs whose process is over. What cannot be read or removed (another user's) is left. */
export async function sweepRunFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter(name => name.startsWith(prefix));
  for (const folder of names.map(name => join(parent, name))) {
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const owner = await readFile(join(folder, ownerFile), 'utf8').catch(() => '');
  if (owner !== '') return isOver(owner);
  const made = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
  return Date.now() - made > ownerlessSeconds * 1000;
}
