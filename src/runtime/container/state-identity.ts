import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../../base/coded-error.ts';
import { isObject } from '../../base/json.ts';
import { PodStore } from './run/pod-store.ts';
import { stillRunning } from './still-running.ts';

/** Which state folder this is, and where it was when that was written down. */
interface StateIdentity {
  readonly id: string;
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/**
 * The id of a state folder, by which its processes are known; given to it at its first use. The files of a folder name processes, and a
 * copy names those of the original: so a folder that is not where it was is taken for our own only when nothing of it runs.
 * Throws `StateFolderMoved` otherwise, and has changed nothing then. The folder is named as it really is.
 */
export function stateIdOf(stateFolder: string): string {
  const known = readIdentity(stateFolder);
  const here = placeOf(stateFolder);
  const isSame = known?.device === here.device && known.inode === here.inode;
  if (known && isSame && known.path === here.path) return known.id;
  if (known) refuseWhatRuns(stateFolder, known);
  if (known && !isSame && isThere(known)) forgetPlaces(stateFolder);
  // Who was only renamed stays who it is; there may be more copies of all others.
  const id = known && isSame ? known.id : randomUUID().replaceAll('-', '').slice(0, 16);
  const file = fileOf(stateFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify({ id, ...here })}\n`);
  renameSync(`${file}.new`, file);
  return id;
}

function refuseWhatRuns(stateFolder: string, { id, path }: StateIdentity): void {
  const pids = stillRunning(stateFolder, id);
  if (pids.length === 0) return;
  const was = path === stateFolder ? 'was replaced by a copy' : `was copied or moved from ${path}`;
  throw new CodedError(
    'StateFolderMoved',
    `the state folder ${stateFolder} ${was}, and processes that it names still run: ${pids.join(', ')}. ` +
      `Take them down at ${path} (move the folder back there first if it is gone), or end these processes`,
    { details: { path, pids } },
  );
}

/** The original has the addresses and the Pods: a copy begins with its own. */
function forgetPlaces(stateFolder: string): void {
  for (const kind of ['namespaces', 'loopback'])
    rmSync(join(stateFolder, `addresses-${kind}.json`), { force: true });
  new PodStore(stateFolder).forgetAll();
}

/** Whether the folder that was written down is where it was. */
function isThere({ id, path }: StateIdentity): boolean {
  return existsSync(path) && readIdentity(path)?.id === id;
}

function placeOf(stateFolder: string): Omit<StateIdentity, 'id'> {
  const { dev, ino } = statSync(stateFolder, { bigint: true });
  return { path: stateFolder, device: String(dev), inode: String(ino) };
}

function readIdentity(stateFolder: string): StateIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(stateFolder), 'utf8'));
    if (!isObject(value)) return undefined;
    const { id, path, device, inode } = value;
    const texts = [id, path, device, inode];
    return texts.every(text => typeof text === 'string') ? (value as unknown as StateIdentity) : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(stateFolder: string): string {
  return join(stateFolder, 'identity.json');
}
