import { connect, type Socket } from 'node:net';
import type { EndpointState } from '../balance/endpoint-state.ts';

/** A port on this machine answers at once or not at all. */
const connectSeconds = 5;

/** A peer that is gone without a word is found out, however long nothing was to be said. */
export const keepAliveMilliseconds = 60_000;

/**
 * Connects to an endpoint and says how it went, once: the socket, or undefined when nobody was there. Both ways may be ended
 * apart. Destroying the socket meanwhile calls it off.
 */
export function dial(endpoint: EndpointState, done: (socket: Socket | undefined) => void): Socket {
  const socket = connect({
    host: endpoint.address,
    port: endpoint.port,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMilliseconds,
  });
  const answer = (result: Socket | undefined) => {
    clearTimeout(timer);
    socket.off('error', refused).off('connect', connected).off('close', refused);
    if (!result) socket.on('error', () => {}).destroy();
    done(result);
  };
  const refused = () => answer(undefined);
  // A port nobody listens on can be picked as our own end: then we talk to ourselves.
  const connected = () => answer(isToItself(socket) ? undefined : socket);
  const timer = setTimeout(refused, connectSeconds * 1000);
  socket.once('error', refused).once('connect', connected).once('close', refused);
  return socket;
}

function isToItself({ localPort, remotePort, localAddress, remoteAddress }: Socket): boolean {
  return localPort === remotePort && localAddress === remoteAddress;
}
