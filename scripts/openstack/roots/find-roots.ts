import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inCache, missingForDebianPrograms } from '../../debian-programs.ts';
import { withBuildLock } from '../../kubernetes/build/build-lock.ts';
import { type Say, withProgress } from '../../kubernetes/build/progress.ts';
import { programOnPath } from '../../kubernetes/process/program-on-path.ts';
import { buildBase, buildRoot, debianDebootstrap } from './build-root.ts';
import { debianMirror } from './debian-mirror.ts';
import { type DebianRoot, debianRoots } from './debian-roots.ts';

const allNames: readonly string[] = debianRoots.map(({ name }) => name);

/** Where a root lies, whether it was built or not. */
export function rootFolder(name: string): string {
  return join(inCache('roots'), name);
}

/** The root that another one began as: one of ours, or a bare system of Debian; undefined for such a system itself. */
export function rootBelow(name: string): string | undefined {
  const root = debianRoots.find(one => one.name === name);
  return root && (root.on ?? baseOf(root));
}

/** Why roots cannot be had here, with the way out; undefined when they can. Cheap: builds nothing. */
export async function missingForRoots(names = allNames): Promise<string | undefined> {
  if (await allThere(names)) return undefined;
  if (process.getuid?.() !== 0)
    return 'systems of Debian are made by root only: run `make openstack-roots` as root';
  for (const tool of ['unshare', 'chroot', 'flock', 'perl', 'apt-get'])
    if (!(await programOnPath(tool))) return `${tool} is missing: systems of Debian are made with it`;
  if (await programOnPath('debootstrap')) return undefined;
  return missingForDebianPrograms(debianDebootstrap);
}

/** The folders of roots by name; what is missing or was made otherwise is built first, in some minutes. */
export async function findRoots(
  names = allNames,
  say: Say = line => console.log(line),
): Promise<ReadonlyMap<string, string>> {
  if (!(await allThere(names)))
    await withBuildLock(`${inCache('roots')}.lock`, say, async () => {
      for (const name of names) await makeRoot(rootCalled(name), say);
    });
  return new Map(names.map(name => [name, rootFolder(name)]));
}

async function makeRoot(root: DebianRoot, say: Say): Promise<void> {
  if (await isThere(root)) return;
  const mirror = await debianMirror();
  const base = baseOf(root);
  if (root.on !== undefined) await makeRoot(rootCalled(root.on), say);
  else if (!(await exists(rootFolder(base))))
    await withProgress({ what: `Debian ${root.suite}`, estimateSeconds: 40, say }, () =>
      buildBase(root.suite, mirror, rootFolder(base)),
    );
  const places = { mirror, from: rootFolder(root.on ?? base), to: rootFolder(root.name) };
  await withProgress({ what: `root ${root.name}`, estimateSeconds: root.seconds, say }, () =>
    buildRoot(root, places),
  );
  await writeFile(stampFile(root.name), stampOf(root));
}

async function allThere(names: readonly string[]): Promise<boolean> {
  const there = await Promise.all(names.map(name => isThere(rootCalled(name))));
  return there.every(Boolean);
}

/** Whether a root is there, made as it would be made today. The stamp lies beside it: nothing of ours is in a root. */
async function isThere(root: DebianRoot): Promise<boolean> {
  const stamp = await readFile(stampFile(root.name), 'utf8').catch(() => '');
  return stamp === stampOf(root) && (await exists(rootFolder(root.name)));
}

const baseOf = ({ suite }: DebianRoot) => `base-${suite}`;
const stampFile = (name: string) => `${rootFolder(name)}.stamp`;

function stampOf({ seconds: _, ...root }: DebianRoot): string {
  const below = root.on === undefined ? '' : stampOf(rootCalled(root.on));
  return `${JSON.stringify({ ...root, node: root.node ? process.version : undefined })}\n${below}`;
}

function rootCalled(name: string): DebianRoot {
  const found = debianRoots.find(root => root.name === name);
  if (!found) throw new Error(`no root is called ${name}`);
  return found;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
