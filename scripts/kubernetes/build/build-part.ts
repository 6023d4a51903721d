import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startWatched } from '../process/watched-process.ts';
import { buildArguments, builtName, goModule, packageAt } from './go-module.ts';
import type { Part } from './parts.ts';
import { type Say, withProgress } from './progress.ts';

const run = promisify(execFile);

/** Folders in which a build is under way start with this; whoever holds the build lock may remove them. */
export const buildingPrefix = '.building-';
export const stampFile = 'stamp.json';

/** What a built part says about itself: it is current exactly when this is what its row says today. */
export function stampOf(part: Part): string {
  const { estimateSeconds: _, ...rest } = part;
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}

/**
 * Builds all programs of a part into `target`, which appears whole or not at all. The caller holds the build lock and
 * knows that Go is there. A build that fails throws with the end of what Go said.
 */
export async function buildPart(part: Part, target: string, say: Say): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const room = await mkdtemp(join(dirname(target), buildingPrefix));
  try {
    const what = `building ${part.name} ${part.version} (${Object.keys(part.programs).join(', ')})`;
    await withProgress({ what, estimateSeconds: part.estimateSeconds, say }, () => build(part, room));
    await rm(target, { recursive: true, force: true });
    await rename(join(room, 'out'), target);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function build(part: Part, room: string): Promise<void> {
  const out = join(room, 'out');
  await mkdir(out);
  await writeFile(join(room, 'go.mod'), goModule(part, await publishedModule(part, room)));
  const go = await startWatched({
    name: 'go',
    program: 'go',
    arguments: buildArguments(part, out),
    logFile: join(room, 'log'),
    folder: room,
    // Without C the programs run on any Linux, and no compiler beside Go is needed. A workspace or flags of the
    // person's own must not change what is built.
    environment: { CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-buildvcs=false' },
  });
  if (!(await go.end()))
    throw new Error(`Go could not build ${part.module} ${part.version}:\n${await go.lastWords()}`);
  for (const [program, path] of Object.entries(part.programs)) {
    await rename(join(out, builtName(packageAt(part, path))), join(out, program));
  }
  await writeFile(join(out, stampFile), stampOf(part));
}

async function publishedModule(part: Part, folder: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', `${part.module}@${part.version}`], {
    cwd: folder,
    env: { ...process.env, GOWORK: 'off' },
  }).catch((error: unknown) => {
    throw new Error(`Go could not fetch ${part.module} ${part.version}: is its module proxy reachable?`, {
      cause: error,
    });
  });
  const { GoMod } = JSON.parse(stdout) as { GoMod: string };
  return readFile(GoMod, 'utf8');
}
