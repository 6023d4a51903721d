import { readFile, readlink } from 'node:fs/promises';

/**
 * Who a process is, in a form that is never true of a later process with the same id: its id, the moment it started,
 * and the namespace the id belongs to (containers may share a temp folder and still count processes apart).
 */
export async function processIdentity(pid: number = process.pid): Promise<string | undefined> {
  try {
    const [stat, namespace] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readlink(`/proc/${process.pid}/ns/pid`),
    ]);
    const startTime = startTimeOf(stat);
    return startTime === undefined ? undefined : `${pid} ${startTime} ${namespace}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process of an identity is over. One in another namespace cannot be looked at, and is taken for alive:
 * better a folder left behind than one taken away from under somebody.
 */
export async function isOver(identity: string): Promise<boolean> {
  const [pid = '', , namespace = ''] = identity.split(' ');
  const here = await readlink(`/proc/${process.pid}/ns/pid`).catch(() => '');
  if (!/^\d+$/.test(pid) || namespace !== here) return false;
  return (await processIdentity(Number(pid))) !== identity;
}

/** Field 22 of /proc/<pid>/stat, undefined for a zombie; the name before it may hold blanks and brackets, so count from its end. */
export function startTimeOf(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}
