import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { claimedBy } from '../runtime/forwarder/claim.ts';
import { forwarderFiles } from '../runtime/forwarder/forwarder-files.ts';
import { pidOf, runs } from '../runtime/forwarder/forwarder-identity.ts';
import type { Check } from '../status/cloud-checks.ts';
import { isManagerAlive, readManagerNote } from './manager-note.ts';
import { stateFiles } from './state-folder.ts';
import { thisMachine } from './this-machine.ts';

/** What Afloat needs of Node. */
const leastNode = [20, 19] as const;

/** Below this much room a backup or a log may fill the disk. */
const littleRoom = 1024 ** 3;

/** What a doctor looks at on this machine; of the world on it only where it is the one that is meant. Never throws. */
export async function checkMachine(stateFolder: string, isWorldHere: boolean): Promise<readonly Check[]> {
  if (!isWorldHere) return [nodeCheck()];
  return [
    nodeCheck(),
    await isolationCheck(),
    await folderCheck(stateFolder),
    await roomCheck(stateFolder),
    await managerCheck(stateFolder),
    ...forwarderCheck(stateFolder),
  ];
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const says = `version ${process.versions.node}`;
  return isNew
    ? { name: 'node', state: 'ok', says }
    : { name: 'node', state: 'failed', says, advice: `Install version ${leastNode.join('.')} or newer.` };
}

async function isolationCheck(): Promise<Check> {
  const { isolation, because } = await thisMachine();
  if (isolation === 'namespaces') return { name: 'isolation', state: 'ok', says: because };
  return {
    name: 'isolation',
    state: 'warning',
    says: `Pods share this machine's files and network: ${because}`,
    advice: 'Run `afloat up` as root where packages need addresses, mounts or users of their own.',
  };
}

/** The folder itself, or the nearest one above that is there. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

async function folderCheck(folder: string): Promise<Check> {
  try {
    await access(nearest(folder), constants.W_OK | constants.X_OK);
    return { name: 'state folder', state: 'ok', says: `${folder} can be written` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = 'Name another with --state, or change its permissions.';
    return { name: 'state folder', state: 'failed', says: `${folder} cannot be written (${code})`, advice };
  }
}

async function roomCheck(folder: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(nearest(folder));
    const room = bavail * bsize;
    const says = `${(room / 1024 ** 3).toFixed(1)} GiB are free`;
    return room >= littleRoom
      ? { name: 'room', state: 'ok', says }
      : { name: 'room', state: 'warning', says, advice: 'Make room: a full disk stops every change.' };
  } catch (error) {
    return { name: 'room', state: 'warning', says: `cannot be told: ${(error as Error).message}` };
  }
}

async function managerCheck(folder: string): Promise<Check> {
  const note = await readManagerNote(stateFiles(folder).manager);
  if (note && isManagerAlive(note))
    return { name: 'manager', state: 'ok', says: `process ${note.pid} since ${note.startedAt}` };
  const says =
    note === undefined
      ? 'none was ever started here'
      : note.endedAt === undefined
        ? 'it ended without a word'
        : 'it was stopped';
  return { name: 'manager', state: 'failed', says, advice: 'Start it: afloat up' };
}

/** Only where there ever was one: it is started with the first Service. */
function forwarderCheck(folder: string): Check[] {
  const { runtime } = stateFiles(folder);
  if (!existsSync(`${runtime}/forwarder`)) return [];
  const forwarder = claimedBy(forwarderFiles(runtime));
  if (forwarder !== undefined && runs(forwarder))
    return [{ name: 'forwarder', state: 'ok', says: `process ${pidOf(forwarder)} forwards requests` }];
  const advice = 'Where there are Services, the manager starts it again; see that the manager runs.';
  return [{ name: 'forwarder', state: 'warning', says: 'none runs', advice }];
}
