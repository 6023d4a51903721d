import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages that are fetched, and the settings of apt-get with which they are found. */
export interface PackagesToFetch {
  readonly names: readonly string[];
  readonly settings: readonly string[];
}

/** Debian packages and what they need that is not installed. `room` is a folder of the caller's, which removes it. */
export async function packagesToFetch(room: string, packages: readonly string[]): Promise<PackagesToFetch> {
  const asRoot = ['-o', 'APT::Sandbox::User=root']; // its own user may not write into our folder
  const ownLists = [...asRoot, '-o', `Dir::State::lists=${join(room, 'lists')}`, '-o', `Dir::Cache=${room}`];
  try {
    return { names: await simulateInstall(asRoot, packages), settings: asRoot };
  } catch {
    // Fresh containers have no package lists. Ours lie in the room, so that those of the machine stay as they are.
    await mkdir(join(room, 'lists/partial'), { recursive: true });
    await run('apt-get', [...ownLists, 'update']);
    return { names: await simulateInstall(ownLists, packages), settings: ownLists };
  }
}

/** Fetches packages and unpacks them into one folder, which installs nothing. */
export async function unpackPackages({ names, settings }: PackagesToFetch, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await run('apt-get', [...settings, 'download', ...names], { cwd: to });
  for (const name of (await readdir(to)).filter(one => one.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', join(to, name), to]);
    await rm(join(to, name));
  }
}

/** The environment in which programs that were unpacked into a folder are found with their libraries. */
export async function unpackedEnvironment(
  folder: string,
): Promise<{ PATH: string; LD_LIBRARY_PATH: string }> {
  const path = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map(name => join(folder, name));
  return {
    PATH: [...path, process.env['PATH'], '/usr/sbin', '/sbin'].join(':'),
    LD_LIBRARY_PATH: (await libraryFolders(folder)).join(':'),
  };
}

async function simulateInstall(
  settings: readonly string[],
  packages: readonly string[],
): Promise<readonly string[]> {
  const words = [...settings, 'install', '--simulate', '--no-install-recommends', ...packages];
  const { stdout } = await run('apt-get', words);
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(match => match[1] ?? '');
  // One of ours that is installed is fetched all the same: all lie in one place.
  return [...new Set([...missing, ...packages])];
}

async function libraryFolders(folder: string): Promise<string[]> {
  const inside = async (name: string) => {
    const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
    return entries.filter(entry => entry.isDirectory()).map(entry => join(folder, name, entry.name));
  };
  const folders = [...(await inside('usr/lib')), ...(await inside('lib'))];
  return folders.filter(name => name.endsWith('-linux-gnu')); // lib/<machine>: Debian's place for several machines
}
