import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isOver } from '../process/process-identity.ts';
import { waitUntil } from '../process/wait-until.ts';

const root = '/sys/fs/cgroup';
const prefix = 'afloat-kubernetes-';

/**
 * Sixteen times what a group gets: to the processes beside it a group counts as one of them, however many pods are in it, and on a busy
 * machine pods would stand still for longer than probes wait.
 */
const processorShares = { 'cpu.shares': '16384', 'cpu.weight': '1600' } as const;

/**
 * Makes the control group below which all pods of a node are, and returns its name. The name says whose it is, so that the
 * groups of killed runs can be told: those are removed first.
 */
export async function makeControlGroup(owner: string): Promise<string> {
  await sweepControlGroups();
  const name = `${prefix}${Buffer.from(owner).toString('base64url')}.${randomBytes(4).toString('hex')}`;
  for (const hierarchy of await hierarchies()) {
    await mkdir(join(hierarchy, name), { recursive: true });
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      // With cgroup v1 a new group may use no processor and no memory until somebody says so.
      const value = await readFile(join(hierarchy, file), 'utf8').catch(() => undefined);
      if (value !== undefined) await writeFile(join(hierarchy, name, file), value);
    }
    for (const [file, value] of Object.entries(processorShares)) {
      const group = join(hierarchy, name);
      if ((await readdir(group)).includes(file)) await writeFile(join(group, file), value);
    }
  }
  return name;
}

/** Removes the group and all below it. Its processes are over, though the kernel may need a moment to notice. */
export async function removeControlGroup(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    await waitUntil(`the control group ${name} is gone`, 10, () => removeTree(join(hierarchy, name)));
  }
}

/** Removes the groups of runs whose process is over. */
export async function sweepControlGroups(): Promise<void> {
  for (const { path, owner } of await controlGroups()) {
    if (await isOver(owner)) await removeTree(path);
  }
}

/** The groups of all nodes on this machine, with the identity of the process they belong to. */
export async function controlGroups(): Promise<{ readonly path: string; readonly owner: string }[]> {
  const groups: { path: string; owner: string }[] = [];
  for (const hierarchy of await hierarchies()) {
    for (const name of (await readdir(hierarchy)).filter(one => one.startsWith(prefix))) {
      const [coded = ''] = name.slice(prefix.length).split('.');
      groups.push({ path: join(hierarchy, name), owner: Buffer.from(coded, 'base64url').toString() });
    }
  }
  return groups;
}

/** The processes in the group and in all below it. */
export async function processesInGroup(name: string): Promise<readonly number[]> {
  const ids = new Set<number>();
  for (const hierarchy of await hierarchies()) {
    const below = await readdir(join(hierarchy, name), { recursive: true }).catch(() => []);
    for (const file of below.filter(one => basename(one) === 'cgroup.procs')) {
      // A group that is gone by now has none.
      const text = await readFile(join(hierarchy, name, file), 'utf8').catch(() => '');
      for (const id of text.split('\n')) if (id !== '' && id !== '0') ids.add(Number(id));
    }
  }
  return [...ids];
}

/** cgroup v2 has one tree, v1 one for each controller. */
async function hierarchies(): Promise<string[]> {
  const isUnified = await stat(join(root, 'cgroup.controllers')).then(
    () => true,
    () => false,
  );
  if (isUnified) return [root];
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(entry => join(root, entry.name));
}

/** A group is removed like an empty folder, though files are in it. */
async function removeTree(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  return rmdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}
