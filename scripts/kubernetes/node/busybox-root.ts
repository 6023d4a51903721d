import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The least that programs expect of a root. */
const folders = ['etc', 'tmp', 'root', 'dev', 'proc', 'sys', 'run'];
const files = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
  'etc/group': 'root:x:0:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
} as const;

/** Makes a folder, into which Debian's busybox-static was unpacked, a root in which it is everything. */
export async function makeBusyboxRoot(folder: string): Promise<void> {
  await rm(join(folder, 'usr/share'), { recursive: true, force: true });
  for (const name of folders) await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // Later Debians ship it as /usr/bin/busybox and count on this link, which another package makes.
  await symlink('usr/bin', join(folder, 'bin')).catch(() => {});
  await run('chroot', [folder, '/bin/busybox', '--install', '-s', '/bin']);
}
