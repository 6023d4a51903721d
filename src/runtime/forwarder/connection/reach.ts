import type { Socket } from 'node:net';
import type { Destination } from '../balance/destination.ts';
import type { EndpointState } from '../balance/endpoint-state.ts';
import { dial } from './dial.ts';

/** An endpoint that was reached for a client. */
export interface Reached {
  readonly endpoint: EndpointState;
  readonly socket: Socket;
}

/**
 * Connects to the endpoint whose turn it is (or to `first`), or to the next one where nobody answers. Until `done` is told, the returned
 * function calls it off. What is reached is in flight there: the caller tells its end.
 */
export function reach(
  destination: Destination,
  client: string,
  done: (reached: Reached | undefined) => void,
  first?: EndpointState,
): () => void {
  const tried = new Set<EndpointState>();
  let dialling: Reached | undefined;
  let calledOff = false;
  const dialNext = (endpoint: EndpointState | undefined) => {
    if (!endpoint) {
      done(undefined);
      return;
    }
    tried.add(endpoint);
    endpoint.begin();
    const socket = dial(endpoint, connected => {
      if (calledOff) return;
      dialling = undefined;
      if (connected) {
        done({ endpoint, socket: connected });
        return;
      }
      endpoint.refused();
      endpoint.end();
      dialNext(destination.pick(client, tried));
    });
    dialling = { endpoint, socket };
  };
  dialNext(first ?? destination.pick(client));
  return () => {
    calledOff = true;
    dialling?.socket.destroy();
    dialling?.endpoint.end();
    dialling = undefined;
  };
}
