import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stampFile, stampOf } from './build-part.ts';
import { cacheFolder, findPrograms, missingForPrograms } from './find-programs.ts';
import { controlPlaneParts, controlPlanePrograms } from './parts.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-programs-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function aProgram(path: string): Promise<void> {
  await writeFile(path, '');
  await chmod(path, 0o755);
}

describe('the cache', () => {
  test.each([
    [{ AFLOAT_CACHE: '/a', XDG_CACHE_HOME: '/x' }, '/a/kubernetes/v1.36.3'],
    [{ AFLOAT_CACHE: '', XDG_CACHE_HOME: '/x' }, '/x/afloat/kubernetes/v1.36.3'],
  ])('of %j is %s', (environment, want) => {
    expect(cacheFolder(environment)).toBe(want);
  });

  test('is outside the tree', () => {
    expect(cacheFolder({})).toMatch(/\.cache\/afloat\/kubernetes\/v1\.36\.3$/);
  });
});

describe.skipIf(process.platform !== 'linux')('the programs', () => {
  test('are those of a given folder', async () => {
    for (const name of controlPlanePrograms) await aProgram(join(folder, name));
    const programs = await findPrograms(() => {}, { AFLOAT_KUBERNETES_BIN: folder });
    expect(programs['kube-apiserver']).toBe(join(folder, 'kube-apiserver'));
  });

  test('of a given folder must all be there', async () => {
    await aProgram(join(folder, 'etcd'));
    const missing = await missingForPrograms({ AFLOAT_KUBERNETES_BIN: folder });
    expect(missing).toContain('kube-apiserver, kube-controller-manager, kubectl');
  });

  test('are those of the cache when its stamps are of today', async () => {
    const cache = cacheFolder({ AFLOAT_CACHE: folder });
    for (const part of controlPlaneParts) {
      await mkdir(join(cache, part.name), { recursive: true });
      for (const name of Object.keys(part.programs)) await aProgram(join(cache, part.name, name));
      await writeFile(join(cache, part.name, stampFile), stampOf(part));
    }
    const lines: string[] = [];
    const programs = await findPrograms(line => lines.push(line), { AFLOAT_CACHE: folder });
    expect(programs.kubectl).toBe(join(cache, 'kubernetes', 'kubectl'));
    expect(lines).toEqual([]);
  });
});

test('a stamp changes with the version and the programs, not with the estimate', () => {
  const [part] = controlPlaneParts;
  if (!part) throw new Error('no part');
  expect(stampOf({ ...part, estimateSeconds: 1 })).toBe(stampOf(part));
  expect(stampOf({ ...part, version: 'v9.9.9' })).not.toBe(stampOf(part));
  expect(stampOf({ ...part, programs: { ...part.programs, more: 'cmd/more' } })).not.toBe(stampOf(part));
});
