import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withBuildLock } from '../build/build-lock.ts';
import { buildingPrefix } from '../build/build-part.ts';
import type { Say } from '../build/progress.ts';
import { programOnPath } from '../process/program-on-path.ts';
import { makeBusyboxRoot } from './busybox-root.ts';

const run = promisify(execFile);

/** Programs that Debian builds better than we could: they need a C compiler. */
const toolPackages = ['runc', 'nftables'] as const;
/** What the test image is made of. Its `wget -T` dies when it looks up a name; without -T it does not. */
const rootPackages = ['busybox-static'] as const;
const stampFile = 'packages';
const stamp = [...toolPackages, ...rootPackages].join(' ');

/** Where Debian's programs lie, and what they need around them. */
export interface DebianTools {
  readonly runc: string;
  /** A folder that is a root in which busybox is everything: sh, wget, nc, httpd, sleep and so on. */
  readonly busyboxRoot: string;
  /** The environment in which `nft` and `runc` are found with their libraries. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Why Debian's programs cannot be had, with the way out; undefined when they can. Cheap. */
export async function missingForDebianTools(cache: string): Promise<string | undefined> {
  if (await isThere(cache)) return undefined;
  for (const tool of ['apt-get', 'dpkg-deb', 'flock']) {
    if (!(await programOnPath(tool))) return `${tool} is missing: ${stamp} come as Debian packages`;
  }
  return undefined;
}

/** Debian's programs, unpacked into the cache: nothing is installed, so nothing of the machine changes. */
export async function findDebianTools(cache: string, say: Say): Promise<DebianTools> {
  const folder = join(cache, 'debian');
  await withBuildLock(join(cache, 'lock'), say, async () => {
    if (await isThere(cache)) return;
    say(`unpacking Debian's ${stamp} into ${folder}, which installs nothing: about 5 s`);
    await unpackAll(cache, folder);
  });
  const tools = join(folder, 'tools');
  const path = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map(name => join(tools, name));
  return {
    runc: join(tools, 'usr/sbin/runc'),
    busyboxRoot: join(folder, 'root'),
    environment: {
      PATH: [...path, process.env['PATH'], '/usr/sbin', '/sbin'].join(':'),
      LD_LIBRARY_PATH: (await libraryFolders(tools)).join(':'),
    },
  };
}

async function isThere(cache: string): Promise<boolean> {
  return (await readFile(join(cache, 'debian', stampFile), 'utf8').catch(() => '')) === stamp;
}

async function unpackAll(cache: string, folder: string): Promise<void> {
  const room = await mkdtemp(join(cache, `${buildingPrefix}debian-`));
  const out = join(room, 'out');
  try {
    const { names, settings } = await packagesToFetch(room);
    await unpack(names, settings, join(out, 'tools'));
    await unpack(rootPackages, settings, join(out, 'root'));
    await makeBusyboxRoot(join(out, 'root'));
    await writeFile(join(out, stampFile), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(out, folder);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function unpack(names: readonly string[], settings: readonly string[], to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await run('apt-get', [...settings, 'download', ...names], { cwd: to });
  for (const name of (await readdir(to)).filter(one => one.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', join(to, name), to]);
    await rm(join(to, name));
  }
}

/** The tools and what they need that is not installed, and the settings of apt-get with which it is found. */
async function packagesToFetch(room: string): Promise<{ names: string[]; settings: string[] }> {
  const asRoot = ['-o', 'APT::Sandbox::User=root']; // its own user may not write into our folder
  const ownLists = [...asRoot, '-o', `Dir::State::lists=${join(room, 'lists')}`, '-o', `Dir::Cache=${room}`];
  try {
    return { names: await simulateInstall(asRoot), settings: asRoot };
  } catch {
    // Fresh containers have no package lists. Ours lie in the room, so that those of the machine stay as they are.
    await mkdir(join(room, 'lists/partial'), { recursive: true });
    await run('apt-get', [...ownLists, 'update']);
    return { names: await simulateInstall(ownLists), settings: ownLists };
  }
}

async function simulateInstall(settings: readonly string[]): Promise<string[]> {
  const words = [...settings, 'install', '--simulate', '--no-install-recommends', ...toolPackages];
  const { stdout } = await run('apt-get', words);
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(match => match[1] ?? '');
  // One of ours that is installed is fetched all the same: all lie in one place.
  return [...new Set([...missing, ...toolPackages])];
}

async function libraryFolders(folder: string): Promise<string[]> {
  const inside = async (name: string) => {
    const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
    return entries.filter(entry => entry.isDirectory()).map(entry => join(folder, name, entry.name));
  };
  const folders = [...(await inside('usr/lib')), ...(await inside('lib'))];
  return folders.filter(name => name.endsWith('-linux-gnu')); // lib/<machine>: Debian's place for several machines
}
