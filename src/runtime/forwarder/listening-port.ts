import type { Server, Socket } from 'node:net';
import type { Clock } from '../../cluster/clock.ts';
import { type HandedPort, makeServer } from './handed-port.ts';

/** Where to listen. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

const firstWaitMilliseconds = 50;
const longestWaitMilliseconds = 5000;
/** As many connections may wait to be accepted as the kernel allows. */
const backlog = 65_535;

/**
 * A port that is listened on, or will be as soon as it can be had: an address may come later, and a port may be held by somebody for
 * a while.
 */
export class ListeningPort {
  readonly place: Place;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  readonly #onConnection: (socket: Socket) => void;
  readonly #onChange: () => void;
  #server: Server | undefined;
  #problem: string | undefined;

  constructor(
    place: Place,
    does: { readonly clock: Clock; onConnection(socket: Socket): void; onChange(): void },
  ) {
    this.place = place;
    this.#clock = does.clock;
    this.#onConnection = does.onConnection;
    this.#onChange = does.onChange;
  }

  /** Why it does not listen. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The server, to be handed over to another process; undefined while it does not listen. */
  get server(): Server | undefined {
    return this.#server?.listening ? this.#server : undefined;
  }

  /** Listens. Returns after the first try; others follow by themselves. */
  async open(): Promise<void> {
    if (!(await this.#try())) void this.#tryAgain();
  }

  /** Goes on with a port that another process listened on. */
  adopt(handed: HandedPort): void {
    this.#server = handed.adopt(this.#onConnection);
  }

  /** Takes no more connections. Those that are there go on. */
  close(): void {
    this.#ended.abort();
    this.#server?.close();
  }

  async #tryAgain(): Promise<void> {
    for (let wait = firstWaitMilliseconds; ; wait = Math.min(2 * wait, longestWaitMilliseconds)) {
      await this.#clock.sleep(wait, this.#ended.signal);
      if (this.#ended.signal.aborted || (await this.#try())) return;
    }
  }

  async #try(): Promise<boolean> {
    const problem = await this.#listen();
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#onChange();
    }
    if (this.#ended.signal.aborted) this.#server?.close();
    return problem === undefined;
  }

  #listen(): Promise<string | undefined> {
    const server = makeServer();
    this.#server = server;
    server.on('connection', this.#onConnection);
    return new Promise(resolve => {
      server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      server.once('listening', () => resolve(undefined));
      server.listen({ host: this.place.address, port: this.place.port, exclusive: true, backlog });
    });
  }
}
