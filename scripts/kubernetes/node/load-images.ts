import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../build/find-programs.ts';
import type { TestNode } from '../test-node.ts';
import { findDebianTools } from './debian-tools.ts';
import { writeImages } from './image-from-folder.ts';
import { makeNodeRoot } from './node-root.ts';

const run = promisify(execFile);

/** An image with busybox and Node, and what it is made of beside. */
export interface ProgramImage {
  /** As manifests name it, with a tag. */
  readonly name: string;
  /** Lie at /program in the image, one over the other. */
  readonly folders?: readonly string[];
  /** What stands before the arguments of a container; `node /program/main.mjs` unless told. */
  readonly entrypoint?: readonly string[];
}

/**
 * Brings images of programs onto a node: busybox and Node below, which all of them share, and the folder of each. Those that are there
 * already are replaced.
 */
export async function loadProgramImages(node: TestNode, images: readonly ProgramImage[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-images-'));
  try {
    const { busyboxRoot } = await findDebianTools(cacheFolder(), () => {});
    const nodeRoot = join(folder, 'node');
    await makeNodeRoot(nodeRoot);
    const file = join(folder, 'images.tar');
    await writeImages(
      images.map(({ name, folders = [], entrypoint = ['node', '/program/main.mjs'] }) => ({
        name: fullName(name),
        layers: [
          ...[{ folder: busyboxRoot }, { folder: nodeRoot }],
          ...folders.map(program => ({ folder: program, at: 'program' })),
        ],
        entrypoint,
      })),
      file,
    );
    await importImages(node, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Brings the images of an OCI tar onto a node, by the names in it. */
export async function importImages(node: Pick<TestNode, 'ctr'>, file: string): Promise<void> {
  await ctr(node, ['images', 'import', file]);
}

/** Whether images of all these names are on the node. */
export async function hasImages(node: TestNode, names: readonly string[]): Promise<boolean> {
  const there = (await ctr(node, ['images', 'ls', '--quiet'])).split('\n');
  return names.every(name => there.includes(fullName(name)));
}

/** Gives an image that is on a node another name beside its own. */
export async function nameImage(node: TestNode, from: string, to: string): Promise<void> {
  await ctr(node, ['images', 'tag', '--force', fullName(from), fullName(to)]);
}

/** An image's name as a kubelet knows it: without a registry it is one of Docker's. */
export function fullName(name: string): string {
  const [first = ''] = name.split('/');
  return first.includes('.') ? name : `docker.io/${name}`;
}

async function ctr(node: Pick<TestNode, 'ctr'>, words: readonly string[]): Promise<string> {
  const [program, ...line] = node.ctr ?? [];
  if (program === undefined) throw new Error('no images can be brought onto this node: set AFLOAT_TEST_CTR');
  return (await run(program, [...line, ...words])).stdout;
}
