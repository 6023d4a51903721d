import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findHelm } from '../build/find-programs.ts';
import { programOnPath } from '../process/program-on-path.ts';
import type { TestNode } from '../test-node.ts';
import { writeImages } from './image-from-folder.ts';
import { importImages } from './load-images.ts';
import { makeNodeRoot, putFile, putProgram } from './node-root.ts';
import { operatorImageFacts } from './operator-image-facts.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const { entrypoint, command, user, environment, contents } = operatorImageFacts;
const [userId] = user.split(':');

/** What programs look for: who the user is, and how names are looked up. */
const files = {
  'etc/passwd': `afloat:x:${userId}:${userId}:afloat:/tmp:/nonexistent\n`,
  'etc/group': `afloat:x:${userId}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
} as const;

/** What git needs of a system: a shell to be limited by, somebody who knows no password, and whom to trust. */
const ofSystem = {
  programs: ['/bin/sh', '/bin/false'],
  trusted: '/etc/ssl/certs/ca-certificates.crt',
} as const;

/**
 * Makes folders that are the layers of the operator's image, the lowest first: what the Dockerfile makes, with the Node, git and Helm of this
 * machine and nothing else of a system. Builds the program first.
 */
export async function makeOperatorRoot(folder: string): Promise<readonly string[]> {
  await run(process.execPath, ['--import', 'tsx', join(root, 'scripts/build.ts')], { cwd: root });
  const [nodeRoot, tools, own] = ['node', 'tools', 'own'].map(name => join(folder, name)) as [
    ...[string, string, string],
  ];
  await makeNodeRoot(nodeRoot);
  await putTools(tools);
  for (const place of ['app', 'etc', 'tmp']) await mkdir(join(own, place), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(own, file), text);
  for (const part of contents) await cp(join(root, part), join(own, 'app', part), { recursive: true });
  return [nodeRoot, tools, own];
}

async function putTools(folder: string): Promise<void> {
  const git = await programOnPath('git');
  if (git === undefined) throw new Error('git is missing: the operator reads sources with it');
  const { stdout } = await run(git, ['--exec-path']);
  await putProgram(folder, git, '/usr/bin/git');
  await putProgram(folder, join(stdout.trim(), 'git-remote-https'));
  for (const program of ofSystem.programs) await putProgram(folder, program);
  await putFile(ofSystem.trusted, join(folder, ofSystem.trusted));
  await putProgram(folder, await findHelm(line => process.stderr.write(`${line}\n`)), '/usr/local/bin/helm');
}

/** Writes the image of the operator as an OCI tar, without Docker. `folder` is for what it is made of, and the caller's to remove. */
export async function writeOperatorImage(name: string, folder: string): Promise<string> {
  const layers = (await makeOperatorRoot(folder)).map(layer => ({ folder: layer }));
  const file = join(folder, 'operator.tar');
  await writeImages([{ name, layers, entrypoint, command, user, environment }], file);
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
