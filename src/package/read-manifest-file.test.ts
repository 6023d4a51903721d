import { describe, expect, it } from 'vitest';
import { finding } from '../api/finding.ts';
import { readManifestFile } from './read-manifest-file.ts';
import type { PackageRead, PackageSource } from './source.ts';

const bytes = new TextEncoder().encode('kind: X');
const file = (path: string) => ({ path, bytes, executable: false });
const packages: PackageSource = {
  read: async ({ location }): Promise<PackageRead> =>
    location === 'a/b'
      ? { ok: true, files: [file('c.yaml'), file('d/e.yaml')] }
      : {
          ok: false,
          findings: [finding('PackageNotInCluster', `package ${location} is not in the cluster`)],
        },
};

describe('the file at a location', () => {
  it.each([
    ['is found in the package it lies in', 'a/b/c.yaml', 'c.yaml'],
    ['is found below folders of that package', 'a/b/d/e.yaml', 'd/e.yaml'],
  ])('%s', async (_, location, path) => {
    const read = await readManifestFile(packages, location);
    expect(read.ok && read.files.map(one => one.path)).toEqual([path]);
  });

  it.each([
    ['is not in its package', 'a/b/x.yaml', 'PackageNotFound'],
    ['lies in no package', 'x/y.yaml', 'PackageNotInCluster'],
    ['has no folder', 'y.yaml', 'PackageNotFound'],
  ])('%s', async (_, location, code) => {
    const read = await readManifestFile(packages, location);
    expect(!read.ok && read.findings.map(one => one.code)).toEqual([code]);
  });

  it('is read by itself where the source can, and a refusal of it is not looked around', async () => {
    const alone: PackageSource = {
      ...packages,
      readFile: async location =>
        location.includes('..')
          ? { ok: false, findings: [finding('PackageUnsafe', 'out of the root')] }
          : { ok: true, files: [file('alone.yaml')] },
    };
    expect(await readManifestFile(alone, 'a/b/c.yaml')).toMatchObject({ files: [{ path: 'alone.yaml' }] });
    expect(await readManifestFile(alone, '../b/c.yaml')).toMatchObject({
      findings: [{ code: 'PackageUnsafe' }],
    });
  });
});
