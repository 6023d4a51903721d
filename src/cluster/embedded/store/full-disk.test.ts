import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClusterError } from '../../cluster-error.ts';
import { EmbeddedCluster } from '../embedded-cluster.ts';
import { configMap, configMaps, refTo, StoreFolder } from '../store-folder.contract.ts';

const text = 'x'.repeat(100_000);

/** Writes until it is refused; returns how many were taken and the refusal. */
async function fill(cluster: EmbeddedCluster): Promise<{ taken: number; refusal: unknown }> {
  for (let taken = 0; ; taken++) {
    const refusal = await cluster.create(configMap(`m-${taken}`, { text })).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal) return { taken, refusal };
  }
}

function expectFull(refusal: unknown): void {
  expect(refusal).toBeInstanceOf(ClusterError);
  expect(refusal).toMatchObject({ reason: 'ServiceUnavailable', cause: { code: 'StoreFull' } });
}

test('a store at its limit refuses the write, serves reads, and goes on when there is room', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open({ maxPages: 400 });
  const { taken, refusal } = await fill(cluster);
  expectFull(refusal);
  const { items, resourceVersion } = await cluster.list(configMaps);
  expect(items).toHaveLength(taken);
  await expect(cluster.get(refTo(`m-${taken}`))).rejects.toMatchObject({ reason: 'NotFound' });
  // Small writes still fit, and a big one among them fails alone.
  const answers = await Promise.allSettled([
    cluster.create(configMap('small-1')),
    cluster.create(configMap('big', { text })),
    cluster.create(configMap('small-2')),
  ]);
  expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await cluster.delete(refTo('m-0'));
  await cluster.delete(refTo('m-1'));
  cluster.compact();
  const made = await cluster.create(configMap('after', { text }));
  expect(Number(made.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
  await cluster.close();
  const again = await folder.open();
  expect((await again.list(configMaps)).items).toHaveLength(taken - 2 + 3);
});

/** A small file system of its own, where this machine lets us. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

test('a full disk refuses the write, serves reads, and goes on when there is room', async ({ skip }) => {
  const disk = smallDisk();
  if (disk === undefined) return skip('no right to mount a small disk here');
  try {
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1_000_000));
    const cluster = await EmbeddedCluster.open(join(disk, 'store'));
    const { taken, refusal } = await fill(cluster);
    expectFull(refusal);
    expect((await cluster.list(configMaps)).items).toHaveLength(taken);
    expectFull(await cluster.create(configMap('another', { text })).catch((error: unknown) => error));
    rmSync(ballast);
    await cluster.create(configMap('after', { text }));
    execFileSync('mount', ['-o', 'remount,size=32m', disk]);
    await cluster.close();
    const again = await EmbeddedCluster.open(join(disk, 'store'));
    expect((await again.list(configMaps)).items).toHaveLength(taken + 1);
    await again.close();
  } finally {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

test('a store that has no room to be opened says so and lets the folder go', async ({ skip }) => {
  const disk = smallDisk();
  if (disk === undefined) return skip('no right to mount a small disk here');
  try {
    const ballast = join(disk, 'ballast');
    for (const pages of [0, 1, 3, 7, 20, 37, 60]) {
      const folder = join(disk, `store-${pages}`);
      writeFileSync(ballast, Buffer.alloc((statfsSync(disk).bfree - pages) * 4096));
      await expect(EmbeddedCluster.open(folder)).rejects.toMatchObject({ code: 'StoreFull' });
      rmSync(ballast);
      const cluster = await EmbeddedCluster.open(folder);
      await cluster.create(configMap('after'));
      await cluster.close();
      expect(readdirSync(folder).filter(name => name.startsWith('room'))).toEqual([]);
      rmSync(folder, { recursive: true });
    }
  } finally {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});
