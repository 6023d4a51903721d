import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withBuildLock } from './kubernetes/build/build-lock.ts';
import { packagesToFetch, unpackedEnvironment, unpackPackages } from './kubernetes/build/debian-packages.ts';
import { programOnPath } from './kubernetes/process/program-on-path.ts';

const stampFile = '.packages';

/** Programs of Debian that are wanted together. */
export interface DebianWanted {
  /** The folder of the cache they lie in. */
  readonly name: string;
  readonly packages: readonly string[];
  /** One program of them, from that folder: without it the folder is no good. */
  readonly program: string;
}

/** Where programs of Debian lie, and the environment in which they are found with their libraries. */
export interface DebianPrograms {
  readonly folder: string;
  readonly program: string;
  readonly environment: { readonly PATH: string; readonly LD_LIBRARY_PATH: string };
}

/** Why programs of Debian cannot be had here, with the way out; undefined when they can. Cheap: fetches nothing. */
export async function missingForDebianPrograms(wanted: DebianWanted): Promise<string | undefined> {
  if (await isThere(wanted)) return undefined;
  for (const tool of ['apt-get', 'dpkg-deb', 'flock']) {
    if (await programOnPath(tool)) continue;
    return `${tool} is missing: ${wanted.packages.join(', ')} come as Debian packages`;
  }
  return undefined;
}

/** Programs of Debian, unpacked into the cache once: nothing is installed, so nothing of the machine changes. Throws where they cannot be had. */
export async function findDebianPrograms(wanted: DebianWanted): Promise<DebianPrograms> {
  const folder = inCache(wanted.name);
  if (!(await isThere(wanted)))
    await withBuildLock(
      `${folder}.lock`,
      text => console.log(text),
      async () => {
        if (!(await isThere(wanted))) await unpack(wanted, folder);
      },
    );
  return {
    folder,
    program: join(folder, wanted.program),
    environment: await unpackedEnvironment(folder),
  };
}

/** A folder of the cache, which lies outside the tree: what is in it outlives the tree, and serves every checkout. */
export function inCache(name: string): string {
  const { AFLOAT_CACHE, XDG_CACHE_HOME } = process.env;
  return join(AFLOAT_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'afloat'), name);
}

async function isThere(wanted: DebianWanted): Promise<boolean> {
  const folder = inCache(wanted.name);
  const stamp = await readFile(join(folder, stampFile), 'utf8').catch(() => '');
  if (stamp !== wanted.packages.join(' ')) return false;
  return access(join(folder, wanted.program)).then(
    () => true,
    () => false,
  );
}

async function unpack({ name, packages }: DebianWanted, folder: string): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  const room = await mkdtemp(join(folder, '..', `.unpacking-${name}-`));
  const out = join(room, 'out');
  try {
    await unpackPackages(await packagesToFetch(room, packages), out);
    await writeFile(join(out, stampFile), packages.join(' '));
    await rm(folder, { recursive: true, force: true });
    await rename(out, folder);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
