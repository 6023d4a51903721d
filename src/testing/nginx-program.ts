/** A real nginx on loopback addresses of its own, for tests. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNginx } from '../../scripts/find-nginx.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import { startWatched, type WatchedProcess } from '../../scripts/kubernetes/process/watched-process.ts';
import { NginxProgram } from '../traffic/nginx/nginx-program.ts';
import type { NginxPlace } from '../traffic/nginx/nginx-router.ts';
import { ownAddresses } from './own-addresses.ts';

/** One that runs. */
export interface RunningNginx {
  readonly place: NginxPlace;
  /** Ends it with kill -9, and all its workers. */
  kill(): Promise<void>;
  /** Starts it as it was started first. */
  start(): Promise<void>;
  /** What a person wrote beside our files, inside `http`. */
  writeByHand(text: string): Promise<void>;
}

/** Starts one whose files lie in this folder. */
export async function startNginx(folder: string): Promise<RunningNginx> {
  const { program, environment } = await findNginx();
  const [address = '', ...previewAddresses] = ownAddresses(5);
  const file = join(folder, 'nginx.conf');
  const byHand = join(folder, 'by-hand.inc');
  const routes = join(folder, 'routes');
  const pidFile = join(folder, 'nginx.pid');
  // As a person has it: a program that finds its libraries by itself.
  const wrapper = join(folder, 'nginx');
  const errorLog = join(folder, 'nginx-error.log');
  await mkdir(routes, { recursive: true });
  await writeFile(
    wrapper,
    `#!/bin/sh\nLD_LIBRARY_PATH=${environment.LD_LIBRARY_PATH} exec ${program} "$@"\n`,
  );
  await chmod(wrapper, 0o755);
  await writeFile(byHand, '');
  await writeFile(file, configuration({ folder, pidFile, byHand, routes, errorLog }));
  const place = {
    command: [wrapper, '-e', errorLog, '-c', file],
    pidFile,
    folder: routes,
    address,
    previewAddresses,
  };
  let running: WatchedProcess | undefined;
  const nginx: RunningNginx = {
    place,
    async kill() {
      await running?.kill();
      running = undefined;
    },
    async start() {
      running = await startWatched({
        name: 'nginx',
        program: wrapper,
        arguments: [...place.command.slice(1), '-g', 'daemon off;'],
        logFile: join(folder, 'nginx.log'),
        folder,
      });
      const seen = new NginxProgram(place.command, pidFile);
      await waitUntil('nginx', 60, async () => {
        const ended = running?.ended();
        if (ended !== undefined) throw new Error(`nginx ${ended}: ${await running?.lastWords()}`);
        return (await seen.workers().catch(() => [])).length > 0;
      });
    },
    writeByHand: text => writeFile(byHand, text),
  };
  await nginx.start();
  return nginx;
}

function configuration(
  paths: Record<'folder' | 'pidFile' | 'byHand' | 'routes' | 'errorLog', string>,
): string {
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `  ${kind}_temp_path ${join(paths.folder, kind)};`,
  );
  return [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes 2;',
    `pid ${paths.pidFile};`,
    `error_log ${paths.errorLog} notice;`,
    'events { worker_connections 1000; }',
    'http {',
    '  access_log off;',
    ...bodies,
    `  include ${paths.byHand};`,
    `  include ${paths.routes}/*.conf;`,
    '}',
    '',
  ].join('\n');
}
