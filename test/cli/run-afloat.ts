import { join } from 'node:path';
import { plainPaint } from '../../src/base/paint.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

/** The root of the repository, which is also the folder tests run in. */
export const root = join(import.meta.dirname, '..', '..');

/** What a call of the program left behind. */
export interface Ran {
  readonly code: number;
  /** The result. */
  readonly out: string;
  /** What was said beside it. */
  readonly err: string;
}

/** Runs the program inside this process: everything but the launcher and the streams is the real thing. */
export async function runAfloat(
  words: readonly string[],
  {
    folder = process.cwd(),
    stdin = '',
    ...more
  }: { folder?: string; stdin?: string } & Pick<Terminal, 'app' | 'screen' | 'untilStopped'> = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const exit = await runProgram(words, {
    print: text => {
      out += text;
    },
    tell: text => {
      err += text;
    },
    paint: plainPaint,
    folder,
    readStdin: async () => stdin,
    ...more,
  });
  return { code: exitCodes[exit].code, out, err };
}
