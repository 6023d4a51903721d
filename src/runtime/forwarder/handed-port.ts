import { createServer, type Server, type Socket } from 'node:net';
import { keepAliveMilliseconds } from './connection/dial.ts';

/** A server as all of ours are; it does not listen yet. */
export function makeServer(): Server {
  return createServer({
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMilliseconds,
  });
}

/**
 * A port that another process handed over. It accepts from the moment it is here, so this must be made in the very turn in which it
 * came; who connects before somebody adopts it is kept waiting, not lost.
 */
export class HandedPort {
  readonly server = makeServer();
  readonly #early: Socket[] = [];

  constructor(received: Server) {
    this.server.on('connection', this.#hold).listen(received);
  }

  /** From now on connections go there, those that waited first. */
  adopt(onConnection: (socket: Socket) => void): Server {
    this.server.off('connection', this.#hold).on('connection', onConnection);
    for (const socket of this.#early.splice(0)) onConnection(socket);
    return this.server;
  }

  /** Nobody wants it. */
  drop(): void {
    this.server.close();
    for (const socket of this.#early.splice(0)) socket.destroy();
  }

  readonly #hold = (socket: Socket): void => {
    socket.on('error', () => {}); // who is gone meanwhile is found closed
    this.#early.push(socket);
  };
}
