import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestNode } from '../test-node.ts';
import { writeImages } from './image-from-folder.ts';
import { importImages } from './load-images.ts';
import { makeNodeRoot } from './node-root.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/** What programs look for beside Node and the program: who the user is, and how names are looked up. No shell. */
const files = {
  'etc/passwd': 'afloat:x:65532:65532:afloat:/tmp:/nonexistent\n',
  'etc/group': 'afloat:x:65532:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
} as const;

/**
 * Writes the image of the operator as an OCI tar, without Docker: what the Dockerfile makes, with the Node of this machine and nothing else
 * of a system. Builds the program first. `folder` is for what it is made of, and the caller's to remove.
 */
export async function writeOperatorImage(name: string, folder: string): Promise<string> {
  await run(process.execPath, ['--import', 'tsx', join(root, 'scripts/build.ts')], { cwd: root });
  const nodeRoot = join(folder, 'node');
  await makeNodeRoot(nodeRoot);
  const own = join(folder, 'own');
  for (const place of ['app', 'etc', 'tmp']) await mkdir(join(own, place), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(own, file), text);
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(root, part), join(own, 'app', part), { recursive: true });
  const file = join(folder, 'operator.tar');
  const layers = [{ folder: nodeRoot }, { folder: own }];
  const entrypoint = ['node', '/app/bin/afloat.js'];
  await writeImages([{ name, layers, entrypoint, command: ['operator'] }], file);
  return file;
}

/** Builds the program and brings the image of the operator onto a node. */
export async function loadOperatorImage(node: Pick<TestNode, 'ctr'>, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-operator-image-'));
  try {
    await importImages(node, await writeOperatorImage(name, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
