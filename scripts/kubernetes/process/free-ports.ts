import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

const lowest = 15_000;
const usualFirstEphemeral = 32_768;
const tries = 200;

/**
 * That many different ports on 127.0.0.1 that nobody listens on. All lie below the range from which the kernel picks
 * the local end of outgoing connections: a server that is killed must find its port free when it comes back, and a
 * client that keeps dialling a port of that range can end up connected to itself, and so keep it.
 */
export async function freePorts(count: number): Promise<number[]> {
  const below = await firstEphemeralPort();
  const held: Server[] = [];
  const ports = new Set<number>();
  try {
    for (let i = 0; i < tries && ports.size < count; i += 1) {
      const port = randomInt(lowest, below);
      const server = ports.has(port) ? undefined : await listenOn(port);
      if (server === undefined) continue;
      held.push(server); // until all are found, so that a search at the same time finds others
      ports.add(port);
    }
  } finally {
    await Promise.all(held.map(server => new Promise(resolve => server.close(resolve))));
  }
  if (ports.size < count) throw new Error(`found only ${ports.size} of ${count} free ports on 127.0.0.1`);
  return [...ports];
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function firstEphemeralPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const first = Number.parseInt(range, 10);
  return first > lowest + 1000 ? first : usualFirstEphemeral;
}
