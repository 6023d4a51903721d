import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDigest } from '../package-digest.ts';
import { openSource } from './open-source.ts';
import { type MadeEntry, packArchive, textsOf, writeFolder } from './source.contract.ts';

let base: string;
let made = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'afloat-open-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const name = fc.constantFrom('a', 'b', 'c.yaml', 'D', 'ü');
const entry = fc.record(
  {
    path: fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/')),
    text: fc.string({ maxLength: 20 }),
    executable: fc.constant(true as const),
  },
  { requiredKeys: ['path', 'text'] },
);
/** Files of which none lies below another. */
const entries = fc
  .uniqueArray(entry, { selector: ({ path }) => path, minLength: 1, maxLength: 6 })
  .map(all => all.filter(({ path }) => !all.some(other => path.startsWith(`${other.path}/`))));

/** What an archive says beside the content; none of it may matter. */
const metadata = fc.record({
  mtime: fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true }),
  uid: fc.nat(65535),
  gid: fc.nat(65535),
  uname: fc.constantFrom('root', 'builder'),
});

describe('openSource', () => {
  it('reads a folder and every archive of it as the same package', async () => {
    await fc.assert(
      fc.asyncProperty(entries, metadata, fc.constantFrom('', './', 'top/'), async (files, more, prefix) => {
        const id = made++;
        const source = openSource(base);
        await writeFolder(join(base, `${id}`), files);
        const packed: MadeEntry[] = files.map(file => ({ ...file, path: `${prefix}${file.path}` })).reverse();
        await writeFile(join(base, `${id}.tgz`), gzipSync(await packArchive(packed, () => more)));
        const folder = await source.read({ type: 'local', location: `${id}` });
        const archive = await source.read({ type: 'tar', location: `${id}.tgz` });
        expect(textsOf(archive)).toEqual(textsOf(folder));
        expect(folder.ok && packageDigest(folder.files)).toBe(archive.ok && packageDigest(archive.files));
      }),
      { numRuns: 60 },
    );
  });
});
