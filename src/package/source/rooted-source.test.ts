import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderSource } from './folder-source.ts';
import { openRootedSource } from './open-source.ts';
import { RootedSource } from './rooted-source.ts';
import { codesOf, sourceContract, textsOf, writeFolder } from './source.contract.ts';

let base: string;
let root: string;
let made = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'afloat-rooted-'));
  root = join(base, 'root');
  await writeFolder(root, [{ path: 'opt/keystone/a.yaml', text: '1' }]);
  await writeFolder(join(base, 'outside'), [{ path: 'secret.yaml', text: 'no' }]);
  await symlink(join(base, 'outside'), join(root, 'way-out'));
  await symlink(join(base, 'outside/secret.yaml'), join(root, 'opt/leak.yaml'));
  await symlink('keystone', join(root, 'opt/current'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

sourceContract(
  'RootedSource',
  async (entries, limits) => {
    const location = `package-${made++}`;
    await writeFolder(join(root, location), entries);
    const inside = (folder: string) => new FolderSource(folder, limits);
    return new RootedSource(root, inside, limits).read({ type: 'local', location });
  },
  () => openRootedSource(root).read({ type: 'local', location: 'nowhere/at/all' }),
);

describe('the root of packages', () => {
  const read = (location: string) => openRootedSource(root).read({ type: 'local', location });
  const readFile = async (location: string) =>
    (await openRootedSource(root).readFile?.(location)) ?? expect.unreachable();

  it.each([
    ['relative', 'opt/keystone'],
    ['absolute, of another machine', '/opt/keystone'],
    ['a link that stays inside', 'opt/current'],
  ])('a location that is %s is found below it', async (_, location) => {
    expect(textsOf(await read(location))).toEqual([['a.yaml', '1']]);
    expect(textsOf(await readFile(`${location}/a.yaml`))).toEqual([['a.yaml', '1']]);
  });

  it('an absolute location that names the root itself is taken as it is', async () => {
    expect(textsOf(await read(join(root, 'opt/keystone')))).toEqual([['a.yaml', '1']]);
  });

  it.each([
    ['steps up', '../outside', 'PackageUnsafe'],
    ['steps up and comes back', 'opt/../opt/keystone', 'PackageUnsafe'],
    ['steps up from an absolute place', '/../outside', 'PackageUnsafe'],
    ['follows a link out', 'way-out', 'PackageUnsafe'],
    ['has a NUL', 'opt\0', 'PackageUnsafe'],
    ['is nowhere', 'nowhere', 'PackageNotFound'],
  ])('a location that %s is refused', async (_, location, code) => {
    expect(codesOf(await read(location))).toEqual([code]);
    expect(codesOf(await readFile(location))).toEqual([code]);
  });

  it('a file that is a link out, a folder or too large is refused', async () => {
    expect(codesOf(await readFile('opt/leak.yaml'))).toEqual(['PackageUnsafe']);
    expect(codesOf(await readFile('opt/keystone'))).toEqual(['PackageNotFound']);
    await writeFile(join(root, 'large.yaml'), 'x'.repeat(200));
    const small = new RootedSource(root, folder => new FolderSource(folder), {
      ...{ files: 1, fileBytes: 100, totalBytes: 100 },
    });
    expect(codesOf(await small.readFile('large.yaml'))).toEqual(['PackageTooLarge']);
  });

  it('a root that is not there has nothing', async () => {
    const gone = openRootedSource(join(base, 'gone'));
    expect(codesOf(await gone.read({ type: 'local', location: 'a' }))).toEqual(['PackageNotFound']);
  });
});
