/** A real HAProxy on loopback addresses of its own, for tests. */
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHaproxy } from '../../scripts/find-haproxy.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import { startWatched, type WatchedProcess } from '../../scripts/kubernetes/process/watched-process.ts';
import type { HaproxyPlace } from '../traffic/haproxy/haproxy-router.ts';
import { MasterCli } from '../traffic/haproxy/master-cli.ts';
import { ownAddresses } from './own-addresses.ts';

/** One that runs. */
export interface HaproxyProgram {
  readonly place: HaproxyPlace;
  /** Ends it with kill -9, and all its workers. */
  kill(): Promise<void>;
  /** Starts it as it was started first. */
  start(): Promise<void>;
  /** Adds to the file that a person wrote. */
  addByHand(text: string): Promise<void>;
}

/** Starts one whose files lie in this folder. */
export async function startHaproxy(folder: string): Promise<HaproxyProgram> {
  const found = await findHaproxy();
  if (typeof found === 'string') throw new Error(found);
  const [address = '', ...previewAddresses] = ownAddresses(5);
  const place = {
    socket: join(folder, 'master.sock'),
    folder: join(folder, 'routes'),
    address,
    previewAddresses,
  };
  const file = join(folder, 'haproxy.cfg');
  await mkdir(place.folder, { recursive: true });
  await writeFile(file, 'global\n  nbthread 2\n  maxconn 2000\n');
  let running: WatchedProcess | undefined;
  const program: HaproxyProgram = {
    place,
    async kill() {
      await running?.kill();
      running = undefined;
    },
    async start() {
      running = await startWatched({
        name: 'haproxy',
        program: found.program,
        arguments: ['-W', '-S', place.socket, '-f', file, '-f', place.folder],
        logFile: join(folder, 'haproxy.log'),
        folder,
        environment: found.environment,
      });
      const cli = new MasterCli(place.socket);
      await waitUntil('HAProxy', 60, async () => {
        const ended = running?.ended();
        if (ended !== undefined) throw new Error(`HAProxy ${ended}: ${await running?.lastWords()}`);
        const { workers } = await cli.processes().catch(() => ({ workers: [] }));
        return workers.length > 0;
      });
    },
    addByHand: text => appendFile(file, text),
  };
  await program.start();
  return program;
}
