import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finding } from '../../api/finding.ts';
import { aPackage } from './store-world.contract.ts';
import { type PackagesByDigest, unpackPackage } from './unpack-package.ts';

const identity = aPackage('identity/1', {
  'bin/deep/run': '#!/bin/sh\necho yes\n',
  'lifecycle.yaml': 'service: identity\n',
});
const hex = identity.digest.slice(7);

let folder: string;
let reads: number;
const packages: PackagesByDigest = {
  readDigest: async digest => {
    reads += 1;
    if (digest === identity.digest) return { ok: true, files: identity.files };
    return { ok: false, findings: [finding('PackageNotInCluster', 'not there')] };
  },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-unpack-'));
  reads = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('unpackPackage', () => {
  it('writes every file, executable where it was, readable by everybody', async () => {
    const unpacked = await unpackPackage(packages, identity.digest, join(folder, 'packages'));
    const place = join(folder, 'packages', hex);
    expect(unpacked).toEqual({ ok: true, folder: place });
    expect(readFileSync(join(place, 'bin/deep/run'), 'utf8')).toBe('#!/bin/sh\necho yes\n');
    const mode = (path: string) => statSync(join(place, path)).mode & 0o777;
    expect(['', 'bin', 'bin/deep', 'bin/deep/run', 'lifecycle.yaml'].map(mode)).toEqual([
      0o755, 0o755, 0o755, 0o755, 0o644,
    ]);
  });

  it('uses a folder that is there as it is', async () => {
    await unpackPackage(packages, identity.digest, folder);
    writeFileSync(join(folder, hex, 'mark'), '');
    await unpackPackage(packages, identity.digest, folder);
    expect(existsSync(join(folder, hex, 'mark'))).toBe(true);
    expect(reads).toBe(1);
  });

  it('never takes the half that a crash left for the package, and removes it when it is old', async () => {
    const [old, young] = [join(folder, `.${hex}-old`), join(folder, `.${hex}-young`)];
    for (const half of [old, young]) {
      mkdirSync(half);
      writeFileSync(join(half, 'lifecycle.yaml'), 'serv');
    }
    utimesSync(old, 1_000_000, 1_000_000);
    await unpackPackage(packages, identity.digest, folder);
    expect(readFileSync(join(folder, hex, 'lifecycle.yaml'), 'utf8')).toBe('service: identity\n');
    expect(readdirSync(folder).sort()).toEqual([`.${hex}-young`, hex].sort());
  });

  it('may be called side by side', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => unpackPackage(packages, identity.digest, folder)),
    );
    expect(new Set(all.map(one => one.ok && one.folder))).toEqual(new Set([join(folder, hex)]));
    expect(readdirSync(folder)).toEqual([hex]);
    expect(readFileSync(join(folder, hex, 'lifecycle.yaml'), 'utf8')).toBe('service: identity\n');
  });

  it('passes on why there is no such package, and leaves nothing', async () => {
    const unpacked = await unpackPackage(packages, `sha256:${'0'.repeat(64)}`, folder);
    expect(unpacked).toMatchObject({ ok: false, findings: [{ code: 'PackageNotInCluster' }] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says so where it cannot write', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    await expect(unpackPackage(packages, identity.digest, join(file, 'below'))).rejects.toMatchObject({
      code: 'StateFolderFailed',
    });
  });
});
