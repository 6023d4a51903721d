import type { Socket } from 'node:net';
import type { Destination } from '../balance/destination.ts';
import { type Reached, reach } from './reach.ts';
import { tunnel } from './tunnel.ts';

/** Forwards one connection as bytes. Where no endpoint answers it is broken off. */
export function forwardTcp(client: Socket, destination: Destination): void {
  const callOff = reach(destination, client.remoteAddress ?? '', reached => {
    client.off('error', lost).off('close', lost);
    if (reached) joinTcp(client, reached);
    else refuse(client, destination);
  });
  const lost = () => {
    client.off('close', lost);
    callOff();
  };
  client.on('error', lost).once('close', lost);
}

/** Breaks off a connection that nobody is there for. */
export function refuse(client: Socket, destination: Destination): void {
  destination.unserved();
  client.on('error', () => {}).resetAndDestroy();
}

/** Forwards bytes between a client and the endpoint that was reached for it; bytes that were read ahead go first. */
export function joinTcp(client: Socket, { endpoint, socket }: Reached, ahead?: Buffer): void {
  endpoint.served();
  tunnel(client, socket, broken => {
    if (broken) endpoint.failed();
    endpoint.end();
  });
  if (ahead) socket.write(ahead);
}
