import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findDebianPrograms } from '../../debian-programs.ts';
import { programOnPath } from '../../kubernetes/process/program-on-path.ts';
import { type DebianMirror, sourcesOf } from './debian-mirror.ts';
import type { DebianRoot } from './debian-roots.ts';

const run = promisify(execFile);
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Debian's program that makes a system in a folder. */
export const debianDebootstrap = {
  name: 'debootstrap',
  packages: ['debootstrap'],
  program: 'usr/sbin/debootstrap',
};

/** Makes the bare system of a suite in a folder that is not there yet: whole, or not at all. */
export async function buildBase(suite: string, mirror: DebianMirror, to: string): Promise<void> {
  const installed = await programOnPath('debootstrap');
  const unpacked = installed === undefined ? await findDebianPrograms(debianDebootstrap) : undefined;
  const environment = unpacked
    ? {
        ...process.env,
        PATH: unpacked.environment.PATH,
        DEBOOTSTRAP_DIR: join(unpacked.folder, 'usr/share/debootstrap'),
      }
    : process.env;
  await whole(to, async folder => {
    const words = ['--variant=minbase', `--keyring=${keyring}`, suite, folder, mirror.main];
    await told(installed ?? unpacked?.program ?? '', words, environment);
    await inRoot(folder, 'apt-get clean');
  });
}

/** Makes a root of another one, in a folder that is not there yet: whole, or not at all. */
export async function buildRoot(
  root: DebianRoot,
  { mirror, from, to }: { readonly mirror: DebianMirror; readonly from: string; readonly to: string },
): Promise<void> {
  await whole(to, async folder => {
    await run('cp', ['-a', '--reflink=auto', `${from}/.`, folder]);
    await writeFile(join(folder, 'etc/apt/sources.list'), sourcesOf(mirror, root));
    // No package may start a server while it is installed.
    await writeFile(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    await copyFile('/etc/resolv.conf', join(folder, 'etc/resolv.conf'));
    await writeFile(join(folder, 'tmp/answers'), (root.answers ?? []).map(line => `${line}\n`).join(''));
    await inRoot(
      folder,
      `debconf-set-selections /tmp/answers && rm /tmp/answers && apt-get update &&
       apt-get install --yes --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${root.packages.map(name => `'${name}'`).join(' ')} &&
       apt-get clean && rm -rf /var/lib/apt/lists/*`,
    );
    if (root.node) {
      await copyFile(process.execPath, join(folder, 'usr/local/bin/node'));
      await inRoot(folder, 'node --version');
    }
  });
}

/** Work in a folder beside its place, which has its name only when all of it is there. */
async function whole(to: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const folder = await mkdtemp(join(dirname(to), `.building-${basename(to)}-`));
  try {
    await run('chmod', ['755', folder]);
    await work(folder);
    await rm(to, { recursive: true, force: true });
    await rename(folder, to);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Runs a line of shell in a root, in namespaces of its own: whatever it mounts or starts is gone with it. */
async function inRoot(folder: string, line: string): Promise<void> {
  const door = 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -ec "$2"';
  await told(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'],
      ...['sh', '-ec', door, 'sh', folder, line],
    ],
    {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...proxies(),
      ...{ LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive', HOME: '/root' },
    },
  );
}

/** How this machine reaches a mirror, where that is not directly. */
function proxies(): Record<string, string> {
  const names = Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name));
  return Object.fromEntries(names.map(([name, value]) => [name, value ?? '']));
}

/** Runs a program; throws with the end of what it said. */
async function told(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run(program, [...words], { env, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.split('\n').filter(line => line.trim() !== '');
    throw new Error(`${basename(program)} failed:\n  ${said.slice(-12).join('\n  ')}`);
  }
}
