import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { systemClock } from '../cluster/clock.ts';
import { ClusterError } from '../cluster/cluster-error.ts';

/** A worker that was told to go may have its places for a moment still. */
const patienceMilliseconds = 3000;

/**
 * Throws `Invalid` where somebody else listens at one of these places (`address:port`): a router that cannot have one of them may stop
 * listening at all others while it tries. Places of every address are not looked at: the router may see other networks than we do.
 */
export async function refuseTakenPlaces(places: readonly string[]): Promise<void> {
  const end = systemClock.monotonic() + patienceMilliseconds;
  for (const place of places) {
    while (await isTaken(place)) {
      if (systemClock.monotonic() > end)
        throw new ClusterError('Invalid', `${place} is taken: another program listens there`);
      await systemClock.sleep(50);
    }
  }
}

async function isTaken(place: string): Promise<boolean> {
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(place) ?? [];
  if (isIP(host) === 0) return false;
  const server = createServer();
  server.listen({ host, port: Number(port), exclusive: true });
  try {
    await once(server, 'listening');
    return false;
  } catch (error) {
    // An address that is not of this machine says nothing of a router that has it.
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
