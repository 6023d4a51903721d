import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programOnPath } from './kubernetes/process/program-on-path.ts';

const run = promisify(execFile);

/** A program, and the environment in which it finds its libraries. */
export interface Haproxy {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * HAProxy, as the yardstick of a benchmark: the one that is installed, else Debian's, unpacked into the cache, which installs nothing.
 * A text is why it cannot be had.
 */
export async function findHaproxy(): Promise<Haproxy | string> {
  const installed = await programOnPath('haproxy');
  if (installed) return { program: installed, environment: {} };
  const cache =
    process.env['AFLOAT_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'afloat');
  const folder = join(cache, 'haproxy');
  const program = join(folder, 'usr/sbin/haproxy');
  try {
    await access(program).catch(() => unpack(cache, folder));
  } catch (error) {
    return `haproxy is not installed, and Debian's cannot be had: ${(error as Error).message.split('\n')[0]}`;
  }
  const libraries = (await readdir(join(folder, 'usr/lib'), { withFileTypes: true }))
    .filter(entry => entry.name.endsWith('-linux-gnu'))
    .map(({ name }) => join(folder, 'usr/lib', name));
  return { program, environment: { LD_LIBRARY_PATH: libraries.join(':') } };
}

async function unpack(cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const room = await mkdtemp(join(cache, '.unpacking-haproxy-'));
  try {
    const asRoot = ['-o', 'APT::Sandbox::User=root']; // its own user may not write into our folder
    const words = [...asRoot, 'install', '--simulate', '--no-install-recommends', 'haproxy'];
    const { stdout } = await run('apt-get', words);
    const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map(match => match[1] ?? '');
    await run('apt-get', [...asRoot, 'download', ...names], { cwd: room });
    for (const name of await readdir(room))
      await run('dpkg-deb', ['-x', join(room, name), join(room, 'out')]);
    await rm(folder, { recursive: true, force: true });
    await rename(join(room, 'out'), folder);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
