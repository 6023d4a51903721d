import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the shell finds a program; undefined when it does not. */
export async function programOnPath(name: string): Promise<string | undefined> {
  return run('sh', ['-c', 'command -v "$1"', 'sh', name]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}
