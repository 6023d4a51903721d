import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { aContainer, aPod } from '../decide/a-pod.contract.ts';
import type { Volume } from '../pod-shape.ts';
import { containerMounts } from './container-mounts.ts';
import { mountVolumes } from './pod-volumes.ts';
import type { VolumeSources } from './volume-content.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-volumes-'));
});
afterEach(() => rm(folder, { recursive: true }));

const metadata = { name: 'x', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
const noClaims = { folderOf: () => undefined };

function sources(
  volume: Omit<Volume, 'name'>,
  data: Readonly<Record<string, string>> | undefined,
): VolumeSources {
  const configMap: StoredObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  return {
    pod: aPod({ volumes: [{ name: 'v', ...volume }] }),
    where: { podIp: '10.1.0.2', hostIp: '10.1.0.1' },
    capacity: { cpus: 1, memoryBytes: 1 },
    services: [],
    configMap: name => (name === 'conf' && data ? configMap : undefined),
    secret: () => undefined,
  };
}

function mount(volume: Omit<Volume, 'name'>, data?: Readonly<Record<string, string>>) {
  return mountVolumes(folder, sources(volume, data), noClaims);
}

const place = () => join(folder, 'volumes/v');
const conf = { configMap: { name: 'conf' } };

describe('volumes of objects', () => {
  test('files change all at once: behind one link', async () => {
    await mount(conf, { a: '1', b: '1' });
    expect(await readFile(join(place(), 'a'), 'utf8')).toBe('1');
    const before = await readlink(join(place(), '..data'));
    await mount(conf, { a: '2', c: '2' });
    expect(await readlink(join(place(), '..data'))).not.toBe(before);
    const seen = (await readdir(place())).filter(name => !name.startsWith('..'));
    expect(seen.sort()).toEqual(['a', 'c']);
    expect(await readFile(join(place(), 'a'), 'utf8')).toBe('2');
    expect((await readdir(place())).filter(name => name.startsWith('..'))).toHaveLength(2);
  });

  test('what is as it should be is left alone, also by the next manager', async () => {
    await mount(conf, { a: '1' });
    const before = await readlink(join(place(), '..data'));
    await mount(conf, { a: '1' });
    expect(await readlink(join(place(), '..data'))).toBe(before);
  });

  test('a write that was cut off leaves nothing behind', async () => {
    await mount(conf, { a: '1' });
    await writeFile(join(place(), '..half'), '');
    await mount(conf, { a: '2' });
    expect(await readdir(place())).not.toContain('..half');
  });

  test('links that a manager had no time to make are made by the next one', async () => {
    await mount(conf, { a: '1', b: '1' });
    const before = await readlink(join(place(), '..data'));
    await rm(join(place(), 'b'));
    await mount(conf, { a: '1', b: '1' });
    expect(await readFile(join(place(), 'b'), 'utf8')).toBe('1');
    expect(await readlink(join(place(), '..data'))).toBe(before);
  });

  test('items, folders and modes', async () => {
    const items = [{ key: 'a', path: 'deep/er/a.conf', mode: 0o400 }];
    await mount({ configMap: { name: 'conf', items } }, { a: '1', b: '2' });
    const path = join(place(), 'deep/er/a.conf');
    expect(await readFile(path, 'utf8')).toBe('1');
    expect((await stat(path)).mode & 0o777).toBe(0o400);
  });

  test.each<[string, Omit<Volume, 'name'>, string]>([
    ['no such ConfigMap', conf, 'configmap "conf" not found'],
    ['no such Secret', { secret: { secretName: 'no' } }, 'secret "no" not found'],
    ['a path that leads out', { downwardAPI: { items: [{ path: '../x' }] } }, 'invalid path'],
    [
      'no such folder',
      { hostPath: { path: '/no/such', type: 'Directory' } },
      'hostPath type check failed: /no/such is not a directory',
    ],
    ['a claim that is not bound', { persistentVolumeClaim: { claimName: 'c' } }, 'persistentvolumeclaim "c"'],
  ])('%s', async (_, volume, want) => {
    const mounted = await mount(volume);
    expect(mounted).toMatchObject({ problem: expect.stringContaining(want) });
  });

  test('what was mounted stays when its object goes', async () => {
    await mount(conf, { a: '1' });
    expect(await mount(conf)).toMatchObject({ sources: new Map([['v', place()]]) });
  });

  test('an optional one may be missing', async () => {
    expect(await mount({ configMap: { name: 'conf', optional: true } })).toHaveProperty('sources');
    expect((await readdir(place())).filter(name => !name.startsWith('..'))).toEqual([]);
  });
});

test('an empty folder is open to everybody, and what its programs make of it stays', async () => {
  await mount({ emptyDir: {} });
  expect((await stat(place())).mode & 0o777).toBe(0o777);
  await chmod(place(), 0o700);
  await writeFile(join(place(), 'a'), '1');
  await mount({ emptyDir: {} });
  expect((await stat(place())).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, 'volumes'))).toEqual(['v']);
  expect(await readdir(place())).toEqual(['a']);
});

describe('mounts of a container', () => {
  const volumes = () => new Map([['v', folder]]);

  test('outer ones first, a subPath is made', async () => {
    const container = aContainer('main', {
      volumeMounts: [
        { name: 'v', mountPath: '/data/inner', subPath: 'sub' },
        { name: 'v', mountPath: '/data', readOnly: true },
      ],
    });
    expect(await containerMounts(container, volumes(), {})).toEqual({
      mounts: [
        { source: folder, target: '/data', readOnly: true },
        { source: join(folder, 'sub'), target: '/data/inner', readOnly: false },
      ],
    });
    expect((await stat(join(folder, 'sub'))).isDirectory()).toBe(true);
  });

  test('a subPath that leads out is refused', async () => {
    const container = aContainer('main', {
      volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(A)' }],
    });
    expect(await containerMounts(container, volumes(), { A: '../..' })).toHaveProperty('problem');
  });

  test.each([
    ['is a link out of the volume', 'link'],
    ['is below such a link', 'link/new'],
    ['is a file below such a link', 'link/secret'],
    ['is a link to such a link', 'far'],
    ['is a link to nowhere', 'nowhere'],
    ['is below a file', 'file/new'],
  ])('a subPath that %s is refused, and makes nothing outside', async (_, subPath) => {
    const [outside, volume] = [join(folder, 'outside'), join(folder, 'volume')];
    await mkdir(outside);
    await mkdir(volume);
    await writeFile(join(outside, 'secret'), '');
    await writeFile(join(volume, 'file'), '');
    await symlink(outside, join(volume, 'link'));
    await symlink('link', join(volume, 'far'));
    await symlink('../nosuch', join(volume, 'nowhere'));
    const container = aContainer('main', { volumeMounts: [{ name: 'v', mountPath: '/v', subPath }] });
    expect(await containerMounts(container, new Map([['v', volume]]), {})).toEqual({
      problem: 'failed to prepare subPath for volumeMount "v" of container "main"',
    });
    expect(await readdir(outside)).toEqual(['secret']);
    expect((await readdir(folder)).sort()).toEqual(['outside', 'volume']);
  });

  test('a subPath may follow links inside the volume, as the files of a ConfigMap do', async () => {
    await mount(conf, { a: '1' });
    await mkdir(join(place(), 'real'));
    await symlink('real', join(place(), 'link'));
    const volumeMounts = ['a', 'link/new'].map(subPath => ({ name: 'v', mountPath: `/${subPath}`, subPath }));
    const container = aContainer('main', { volumeMounts });
    const made = await containerMounts(container, new Map([['v', place()]]), {});
    expect(made).toMatchObject({
      mounts: [{ source: join(place(), 'a') }, { source: join(place(), 'link/new') }],
    });
    expect(await readdir(join(place(), 'real'))).toEqual(['new']);
  });
});
