import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { digestBytes } from '../../base/digest.ts';
import type { ForwarderProgram } from '../forwarder/forwarding-table.ts';
import { nodeFlags } from '../forwarder/node-flags.ts';

/** How the forwarder of a state folder is started, from a file that is the whole program. */
export function forwarderProgram(
  stateFolder: string,
  file: string,
  loader: readonly string[] = [],
): ForwarderProgram {
  const digest = digestBytes(readFileSync(file));
  return { command: [process.execPath, ...nodeFlags, ...loader, file, stateFolder, digest], digest };
}

/** The forwarder that belongs to this Afloat: beside the bundle, or from source where Afloat itself runs from source. */
export function ownForwarderProgram(stateFolder: string): ForwarderProgram {
  const here = fileURLToPath(import.meta.url);
  const isSource = basename(here) === 'forwarder-program.ts';
  return isSource
    ? forwarderProgram(stateFolder, join(dirname(here), '../forwarder/run-forwarder.ts'), [
        '--import',
        pathToFileURL(createRequire(here).resolve('tsx')).href,
      ])
    : forwarderProgram(stateFolder, join(dirname(here), 'forwarder.js'));
}
