import { type Clock, systemClock } from '../cluster/clock.ts';
import { openContainers } from './container/open-containers.ts';
import { forwarderFiles } from './forwarder/forwarder-files.ts';
import { endForwarders } from './services/forwarder-keeper.ts';

/**
 * Ends everything that runs for a state folder: every container, and the forwarder; takes away their network. What is kept for longer
 * (claimed volumes, the objects) stays. No manager may be running. Throws a `CodedError` where something does not end.
 */
export async function takeDownRuntime(folder: string, clock: Clock = systemClock): Promise<void> {
  const containers = await openContainers({ stateFolder: folder, clock });
  await containers.adopt();
  try {
    await endForwarders(forwarderFiles(folder), clock);
    await Promise.all(containers.pods().map(({ pod }) => containers.closePod(pod.uid)));
  } finally {
    await containers.takeDown();
  }
}
