import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimedBy } from '../forwarder/claim.ts';
import { forwarderFiles, readReports } from '../forwarder/forwarder-files.ts';
import { pidOf } from '../forwarder/forwarder-identity.ts';
import { lookForProcesses } from '../process/look-for-processes.ts';
import { bootOfMachine, isAlive, parseIdentity } from '../process/process-identity.ts';
import { PodStore } from './run/pod-store.ts';
import { markOfRun, readRun, runFolderOf } from './run/run-folder.ts';

/** The processes that run and that a state folder names: shims, programs and what these started, the forwarder, the keeper of networks. */
export function stillRunning(stateFolder: string, stateId: string): number[] {
  const store = new PodStore(stateFolder);
  const ids = store.uids().flatMap(uid => store.runsOf(uid));
  const runs = ids.map(id => ({ id, record: readRun(runFolderOf(store.folderOf(id.podUid), id)) }));
  const named = runs.flatMap(({ record: { claim, first } }) => [claim ?? [], first ?? []].flat());
  const families = runs.flatMap(({ id, record: { first } }) =>
    first?.boot === bootOfMachine() ? [{ mark: markOfRun(stateId, id), since: first }] : [],
  );
  const marked = families.length > 0 ? lookForProcesses(families).members.flat() : [];
  const pids = [
    ...named.filter(isAlive).map(({ pid }) => pid),
    ...marked.map(({ pid }) => pid),
    ...forwarders(stateFolder),
    ...keepers(stateFolder),
  ];
  // A manager that writes ends into folders names itself there.
  return [...new Set(pids)].filter(pid => pid !== process.pid).toSorted((a, b) => a - b);
}

function forwarders(stateFolder: string): number[] {
  // Not made here: a look changes nothing.
  if (!existsSync(join(stateFolder, 'forwarder'))) return [];
  const files = forwarderFiles(stateFolder);
  const holder = claimedBy(files);
  return [...(holder ? [holder] : []), ...readReports(files).map(({ identity }) => identity)].map(pidOf);
}

function keepers(stateFolder: string): number[] {
  const file = join(stateFolder, 'network-keeper');
  const keeper = existsSync(file) ? parseIdentity(readFileSync(file, 'utf8')) : undefined;
  return keeper && isAlive(keeper) ? [keeper.pid] : [];
}
