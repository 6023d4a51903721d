import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '../..');

/** A word of a shell line as a person would type it. */
const typed = (word: string) => (/^[\w./=@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The line that a person types to get the same. */
export function programLine(words: readonly string[]): string {
  return `node bin/afloat.js ${words.map(typed).join(' ')}`;
}

/**
 * Shows a command of the program, runs it with more environment where the person sees and can answer it, and gives its exit code. When
 * the signal says stop, the command is told to end too.
 */
export async function runProgram(
  words: readonly string[],
  { environment, signal }: { readonly environment: NodeJS.ProcessEnv; readonly signal?: AbortSignal },
): Promise<number> {
  process.stdout.write(`\n$ ${programLine(words)}\n`);
  const child = spawn(process.execPath, ['bin/afloat.js', ...words], {
    cwd: repository,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const stop = () => void child.kill('SIGINT');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
