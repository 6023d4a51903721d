import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of processes of this machine that have a text in their command line or environment. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      const command = textOf(`/proc/${pid}/cmdline`);
      const environment = textOf(`/proc/${pid}/environ`);
      return command.includes(text) || environment.includes(text) ? [`${pid} ${command}`] : [];
    });
}

/** Empty for a process that went meanwhile, or is somebody else's. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
