import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { JourneyWorld } from '../engine/journey-world.ts';

/** What became of one request. */
export interface Reply {
  /** 0 where the connection broke before the end. */
  readonly status: number;
  readonly body: string;
}

/** One request to a service, on a connection of its own. */
export async function ask(world: JourneyWorld, service: string, path: string): Promise<Reply> {
  const { address, port } = await world.address(service);
  return new Promise(resolve => {
    const request = get({ host: address, port, path, agent: false }, response => {
      let body = '';
      response.on('data', chunk => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', () => resolve({ status: 0, body }));
    });
    request.on('error', () => resolve({ status: 0, body: '' }));
  });
}

/** Clients who ask for one path until they are stopped. */
export interface Clients {
  readonly asked: number;
  readonly failed: number;
  stop(): Promise<void>;
}

/** So many clients, each with a pause of so many milliseconds between two requests. */
export function askAgainAndAgain(
  world: JourneyWorld,
  service: string,
  path: string,
  { clients = 4, everyMs = 20 } = {},
): Clients {
  let [asked, failed, isOver] = [0, 0, false];
  const all = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const { status } = await ask(world, service, path);
      asked += 1;
      if (status !== 200) failed += 1;
      await pause(everyMs);
    }
  });
  return {
    get asked() {
      return asked;
    },
    get failed() {
      return failed;
    },
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}
