import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { openContainers } from './container/open-containers.ts';
import { forwarderFiles } from './forwarder/forwarder-files.ts';
import { endForwarders } from './services/forwarder-keeper.ts';

/**
 * Ends everything that runs for a state folder: every container, and the forwarder; takes away their network. What is kept for longer
 * (claimed volumes, the objects) stays. No manager may be running. Needs no room on the disk. Throws a `CodedError` where something does
 * not end, after all else was ended; `StateFolderMoved`, before anything was, where the folder is a copy.
 */
export async function takeDownRuntime(folder: string, clock: Clock = systemClock): Promise<void> {
  const containers = await openContainers({ stateFolder: folder, clock, toTakeDown: true });
  await containers.adopt();
  const ends = [
    ...(await Promise.allSettled([endForwardersOf(folder, clock)])),
    ...(await Promise.allSettled(containers.pods().map(({ pod }) => containers.closePod(pod.uid)))),
  ];
  await containers.takeDown();
  const failed = ends.find(end => end.status === 'rejected');
  if (failed) throw failed.reason;
}

async function endForwardersOf(folder: string, clock: Clock): Promise<void> {
  // Where there never was one, no folder is made for it.
  if (existsSync(join(folder, 'forwarder'))) await endForwarders(forwarderFiles(folder), clock);
}
