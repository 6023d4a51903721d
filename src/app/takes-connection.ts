import { connect } from 'node:net';

/** So long a connection may take: within a cluster it takes milliseconds. */
const connectMilliseconds = 1000;

/** What says that an address is known, and that nobody listens behind it. */
const refusals: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET'];

/**
 * Opens a TCP connection and closes it again, with no word sent: true where it is taken, false where it is refused, undefined where nothing
 * comes back in time or no way leads there. Never throws.
 */
export function takesConnection(
  address: string,
  port: number,
  timeoutMilliseconds = connectMilliseconds,
): Promise<boolean | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host: address, port, signal: AbortSignal.timeout(timeoutMilliseconds) });
    const tell = (told: boolean | undefined) => {
      socket.destroy();
      resolve(told);
    };
    socket.once('connect', () => tell(true));
    // The one listener stays: an abort after the end is told here too.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      tell(refusals.includes(code) ? false : undefined),
    );
  });
}
