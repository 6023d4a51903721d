import { beforeEach, expect, test, vi } from 'vitest';
import { configMap, configMaps, StoreFolder } from '../store-folder.contract.ts';

/** Whether the small file beside the database cannot be written. */
const disk = vi.hoisted(() => ({ fails: false }));

vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof import('node:fs')>();
  const writeSync = (file: number, bytes: Buffer, ...where: [number, number, number]) => {
    if (disk.fails) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    return real.writeSync(file, bytes, ...where);
  };
  return { ...real, writeSync };
});

beforeEach(() => {
  disk.fails = false;
});

test('what is committed stands, even if its number cannot be written', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  await cluster.create(configMap('before'));
  disk.fails = true;
  await cluster.create(configMap('meanwhile'));
  await expect(cluster.create(configMap('meanwhile'))).rejects.toMatchObject({ reason: 'AlreadyExists' });
  disk.fails = false;
  await cluster.create(configMap('after'));
  const names = async (of: typeof cluster) =>
    (await of.list(configMaps)).items.map(item => item.metadata.name);
  expect(await names(cluster)).toEqual(['after', 'before', 'meanwhile']);
  await cluster.close();
  expect(await names(await folder.open())).toEqual(['after', 'before', 'meanwhile']);
});

test('a store whose number has no room is full, and lets the folder go', async () => {
  await using folder = new StoreFolder();
  disk.fails = true;
  await expect(folder.open()).rejects.toMatchObject({ code: 'StoreFull' });
  disk.fails = false;
  await (await folder.open()).create(configMap('after'));
});
