import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processIdentity } from './process-identity.ts';
import { makeRunFolder } from './run-folder.ts';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'afloat-run-folder-test-'));
});
afterEach(async () => {
  await rm(parent, { recursive: true, force: true });
});

async function aFolder(name: string, owner?: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(join(folder, 'etcd'), { recursive: true });
  if (owner !== undefined) await writeFile(join(folder, 'owner'), owner);
  return folder;
}

describe.skipIf(process.platform !== 'linux')('a new run folder', () => {
  test('takes the place of those whose run was killed, and of no others', async () => {
    const [, start, namespace] = ((await processIdentity()) ?? '').split(' ');
    await aFolder('afloat-kubernetes-killed', `999999999 ${start} ${namespace}`);
    await aFolder('afloat-kubernetes-running', await processIdentity());
    await aFolder('afloat-kubernetes-elsewhere', `999999999 ${start} pid:[1]`);
    await aFolder('afloat-kubernetes-new');
    await aFolder('somebody-elses', `999999999 ${start} ${namespace}`);
    const folder = await makeRunFolder(parent);
    expect((await readdir(parent)).sort()).toEqual(
      [
        basename(folder),
        'afloat-kubernetes-elsewhere',
        'afloat-kubernetes-new',
        'afloat-kubernetes-running',
        'somebody-elses',
      ].sort(),
    );
  });

  test('takes the place of an old one that never got an owner', async () => {
    const old = await aFolder('afloat-kubernetes-old');
    await utimes(old, 0, 0);
    const folder = await makeRunFolder(parent);
    expect(await readdir(parent)).toEqual([basename(folder)]);
  });
});
