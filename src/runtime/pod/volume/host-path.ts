import { mkdir, open, stat } from 'node:fs/promises';

const checks: Readonly<Record<string, readonly [isSo: 'isDirectory' | 'isFile' | 'isSocket', word: string]>> =
  {
    Directory: ['isDirectory', 'a directory'],
    DirectoryOrCreate: ['isDirectory', 'a directory'],
    File: ['isFile', 'a file'],
    FileOrCreate: ['isFile', 'a file'],
    Socket: ['isSocket', 'a socket file'],
  };

/** Makes sure that a path of the machine is what a volume says it is; why not, in a kubelet's words. */
export async function checkHostPath(path: string, type = ''): Promise<string | undefined> {
  const check = checks[type];
  // Without a type it is taken as it is; a runtime makes a folder where there is nothing.
  if (!check) {
    await mkdir(path, { recursive: true }).catch(() => {});
    return undefined;
  }
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: 0o755 }).catch(() => {});
  if (type === 'FileOrCreate') await touch(path);
  const found = await stat(path).catch(() => undefined);
  const [isSo, word] = check;
  return found?.[isSo]() ? undefined : `hostPath type check failed: ${path} is not ${word}`;
}

async function touch(path: string): Promise<void> {
  const file = await open(path, 'a', 0o644).catch(() => undefined);
  await file?.close();
}
