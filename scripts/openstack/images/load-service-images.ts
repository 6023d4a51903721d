import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Say, withProgress } from '../../kubernetes/build/progress.ts';
import { hasImages } from '../../kubernetes/node/load-images.ts';
import type { TestNode } from '../../kubernetes/test-node.ts';
import { findImages } from './find-images.ts';

/** Longer than it takes on a busy machine: who waits longer waits for nothing. */
const mostSeconds = 600;

/** Brings the images of real services onto a node that does not have all of them yet, made first where the cache has none; gives their names. */
export async function loadServiceImages(
  node: TestNode,
  say: Say = line => console.log(line),
): Promise<readonly string[]> {
  const { folder, names } = await findImages(say);
  if (await hasImages(node, names)) return names;
  await withProgress({ what: 'images of real services onto the node', estimateSeconds: 60, say }, () =>
    importLayout(node, folder),
  );
  return names;
}

/** Streams a layout into a node: there is no copy of it as a file. */
async function importLayout({ ctr }: TestNode, folder: string): Promise<void> {
  const [program, ...line] = ctr ?? [];
  if (program === undefined) throw new Error('no images can be brought onto this node: set AFLOAT_TEST_CTR');
  const signal = AbortSignal.timeout(mostSeconds * 1000);
  const reads = spawn('tar', ['--create', '--directory', folder, 'oci-layout', 'index.json', 'blobs'], {
    ...{ stdio: ['ignore', 'pipe', 'inherit'], signal },
  });
  const takes = spawn(program, [...line, 'images', 'import', '-'], {
    ...{ stdio: [reads.stdout, 'ignore', 'inherit'], signal },
  });
  // Nobody else reads it: without its reader the other ends too.
  reads.stdout.destroy();
  const codes = (await Promise.all([once(reads, 'exit'), once(takes, 'exit')])).map(([code]) => code);
  if (codes.some(code => code !== 0)) throw new Error(`images were not imported: exit codes ${codes}`);
}
