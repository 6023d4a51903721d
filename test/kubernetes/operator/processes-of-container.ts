import { readdir, readFile } from 'node:fs/promises';

/** The processes of a container, as this machine numbers them: told by their control group, whose name ends with that of the container. */
export async function processesOfContainer(containerId: string): Promise<readonly number[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  // A process that is over by now is in no group.
  const groups = await Promise.all(ids.map(id => readFile(`/proc/${id}/cgroup`, 'utf8').catch(() => '')));
  return ids.filter((_, index) => groups[index]?.includes(containerId)).map(Number);
}
