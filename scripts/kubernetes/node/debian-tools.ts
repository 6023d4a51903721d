import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withBuildLock } from '../build/build-lock.ts';
import { buildingPrefix } from '../build/build-part.ts';
import { packagesToFetch, unpackedEnvironment, unpackPackages } from '../build/debian-packages.ts';
import type { Say } from '../build/progress.ts';
import { programOnPath } from '../process/program-on-path.ts';
import { makeBusyboxRoot } from './busybox-root.ts';

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
  return {
    runc: join(tools, 'usr/sbin/runc'),
    busyboxRoot: join(folder, 'root'),
    environment: await unpackedEnvironment(tools),
  };
}

async function isThere(cache: string): Promise<boolean> {
  return (await readFile(join(cache, 'debian', stampFile), 'utf8').catch(() => '')) === stamp;
}

async function unpackAll(cache: string, folder: string): Promise<void> {
  const room = await mkdtemp(join(cache, `${buildingPrefix}debian-`));
  const out = join(room, 'out');
  try {
    const tools = await packagesToFetch(room, toolPackages);
    await unpackPackages(tools, join(out, 'tools'));
    await unpackPackages({ ...tools, names: rootPackages }, join(out, 'root'));
    await makeBusyboxRoot(join(out, 'root'));
    await writeFile(join(out, stampFile), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(out, folder);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
