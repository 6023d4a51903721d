import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Say } from './build/progress.ts';
import { startTestNode, type TestNode } from './test-node.ts';

/** A place to ask for the one node of a test run. It is started when somebody asks first, and stopped with the door. */
export interface NodeDoor {
  /** Path of a socket, for `askForNode`. */
  readonly socket: string;
  close(): Promise<void>;
}

/** Opens the door. Costs nothing until somebody knocks: tests that need no node do not wait for one. */
export async function openNodeDoor(say: Say): Promise<NodeDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-node-door-'));
  let started: ReturnType<typeof startTestNode> | undefined;
  const answer = async (): Promise<object> => {
    try {
      started ??= startTestNode(say);
      return { node: (await started).node };
    } catch (error) {
      return { error: String((error as Error).message) };
    }
  };
  const server = createServer(socket => {
    void answer().then(found => socket.end(JSON.stringify(found)));
  });
  const socket = join(folder, 'socket');
  await listen(server, socket);
  return {
    socket,
    close: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
      // One that could not be started has nothing to be stopped, and whoever asked was told why.
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/** The node behind a door, from any process of the test run; waits until it is ready. */
export async function askForNode(socket: string): Promise<TestNode> {
  const { node, error } = JSON.parse(await text(createConnection(socket)));
  if (error !== undefined) throw new Error(error);
  return node;
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}
