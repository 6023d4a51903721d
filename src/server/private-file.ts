import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError } from '../base/coded-error.ts';

/**
 * Writes a file that only its owner can read. Whoever reads meanwhile, or after a crash, sees the old one or the new one, never a part.
 * Throws `FileUnwritable`; the old one is there then.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o711 });
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    // Where it cannot be removed it was not made.
    await rm(draft, { force: true }).catch(() => {});
    const { code } = cause as NodeJS.ErrnoException;
    throw new CodedError('FileUnwritable', `${file} cannot be written (${code})`, {
      cause,
      details: { file },
    });
  }
}
