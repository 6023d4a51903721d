import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Descriptor } from '../../kubernetes/node/image-from-folder.ts';
import { changedPaths } from './changed-paths.ts';

const run = promisify(execFile);

/** What a container gets from who runs it. */
const without = ['dev', 'proc', 'sys'];

/**
 * Writes a layer as a tar file: a root, or what makes it of the one below. Files keep their owners and times; with other times Python
 * would compile everything again at every start. Needs root, to read all of it.
 */
export async function writeLayer(file: string, root: string, below?: string): Promise<Descriptor> {
  const { changed, gone } = changedPaths(root, below, without);
  await mkdir(dirname(file), { recursive: true });
  const room = await mkdtemp(join(dirname(file), '.layer-'));
  try {
    const marks = join(room, 'gone');
    const markOf = (path: string) => join(dirname(path), `.wh.${path.slice(path.lastIndexOf('/') + 1)}`);
    await mkdir(marks);
    for (const path of gone) {
      await mkdir(dirname(join(marks, path)), { recursive: true });
      await writeFile(join(marks, markOf(path)), '');
    }
    await tar('--create', file, { from: root, paths: changed, room });
    if (gone.length > 0) await tar('--append', file, { from: marks, paths: gone.map(markOf), room });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
  return describeFile(file);
}

async function tar(
  verb: '--create' | '--append',
  file: string,
  { from, paths, room }: { readonly from: string; readonly paths: readonly string[]; readonly room: string },
): Promise<void> {
  const list = join(room, 'list');
  await writeFile(list, paths.map(path => `${path}\0`).join(''));
  const words = ['--format=posix', '--numeric-owner', '--no-recursion', '--null'];
  await run('tar', [verb, '--file', file, ...words, '--directory', from, '--files-from', list]);
}

async function describeFile(file: string): Promise<Descriptor> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { digest: `sha256:${hash.digest('hex')}`, size: (await stat(file)).size };
}
