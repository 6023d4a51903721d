import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Step by step: Node's own recursive mkdir never comes back from folders that the
 * system makes up, such as /proc. Throws what the file system says.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path || (await exists(dirname(path)))) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, mode);
  }
}

/** A link counts, even one that leads nowhere. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
