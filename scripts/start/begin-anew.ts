import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** In a folder that this walk made, and may therefore remove. */
const mark = 'made-by-make-start';

/**
 * Leaves an empty state folder that carries our mark. What an earlier walk left running there is taken down first. Gives undefined, or
 * why that cannot be done: a folder that somebody else made is never touched.
 */
export async function beginAnew(
  stateFolder: string,
  say: (line: string) => void,
): Promise<string | undefined> {
  if (existsSync(stateFolder) && readdirSync(stateFolder).length > 0) {
    if (!existsSync(join(stateFolder, mark)))
      return `${stateFolder} is there and was not made by make start: move it away first.`;
    say(`${stateFolder} is of an earlier start. What runs there is taken down, and it all begins anew.`);
    const environment = { AFLOAT_STATE: stateFolder };
    if ((await runProgram(['down', '--all', '--yes'], { environment })) !== 0)
      return `What runs in ${stateFolder} could not be taken down; see above.`;
  }
  try {
    await rm(stateFolder, { recursive: true, force: true });
    await mkdir(stateFolder, { recursive: true, mode: 0o711 });
    await writeFile(join(stateFolder, mark), 'The next `make start` removes this folder.\n');
    return undefined;
  } catch (error) {
    return `${stateFolder} cannot be made anew: ${(error as Error).message}`;
  }
}
