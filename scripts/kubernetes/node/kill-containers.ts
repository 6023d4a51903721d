import { readdir, readFile } from 'node:fs/promises';
import { waitUntil } from '../process/wait-until.ts';
import { processesInGroup } from './control-groups.ts';

/**
 * Ends the containers of a node with kill -9, and the shims of containerd that watch them: as when the power goes. kubelet and
 * containerd must be over. Returns when none is left.
 */
export async function killContainers(controlGroup: string, containerdSocket: string): Promise<void> {
  // On a busy machine a process that was killed takes its time to end.
  await waitUntil('no container is left', 120, async () => {
    const ids = [...(await shimsOf(containerdSocket)), ...(await processesInGroup(controlGroup))];
    for (const id of ids) kill(id);
    return ids.length === 0;
  });
}

/** They are told by the socket they report to: each node has one of its own. */
async function shimsOf(containerdSocket: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  const isShim = ([program = '', ...words]: readonly string[]) =>
    program.endsWith('containerd-shim-runc-v2') && words.includes(containerdSocket);
  return ids.filter((_, index) => isShim((lines[index] ?? '').split('\0'))).map(Number);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
