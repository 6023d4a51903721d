import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packageDigest } from './package-digest.ts';
import type { PackageFile } from './source.ts';

const anyFile = fc.record<PackageFile>({
  path: fc.string({ minLength: 1, maxLength: 12 }),
  bytes: fc.uint8Array({ maxLength: 40 }),
  executable: fc.boolean(),
});
const anyFiles = fc.uniqueArray(anyFile, { selector: ({ path }) => path, minLength: 1, maxLength: 8 });

describe('packageDigest', () => {
  it('is the same whatever order the files come in', () => {
    const shuffled = anyFiles.chain(files =>
      fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
    );
    fc.assert(fc.property(shuffled, ([a, b]) => packageDigest(a) === packageDigest(b)));
  });

  it('changes with any byte, path or executable bit, and with a file more or less', () => {
    const change = fc.constantFrom<(file: PackageFile) => PackageFile[]>(
      file => [{ ...file, executable: !file.executable }],
      file => [{ ...file, path: `${file.path} ` }],
      file => [{ ...file, bytes: Uint8Array.from([...file.bytes, 0]) }],
      file => [{ ...file, bytes: Uint8Array.from([7, ...file.bytes.map(byte => byte ^ 1)]) }],
      file => [file, { ...file, path: `${file.path}\n` }],
      () => [],
    );
    fc.assert(
      fc.property(anyFiles, change, fc.nat(), (files, changed, at) => {
        const index = at % files.length;
        const other = files.flatMap((file, place) => (place === index ? changed(file) : [file]));
        return packageDigest(files) !== packageDigest(other);
      }),
    );
  });

  it('does not confuse where one file ends and the next begins', () => {
    const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), executable: false });
    expect(packageDigest([file('a', 'b'), file('c', 'd')])).not.toBe(
      packageDigest([file('a', 'bc'), file('d', '')]),
    );
    expect(packageDigest([file('a', '')])).not.toBe(packageDigest([]));
  });

  it('stays what it is: records pin it', () => {
    const files = [{ path: 'lifecycle.yaml', bytes: Buffer.from('service: a\n'), executable: false }];
    expect(packageDigest(files)).toBe(
      'sha256:a38bc8b46b614b5eb25e5cdb65eba90511fc6700a81e98769304b5fe8f4e7387',
    );
  });
});
