import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ExtractEvents, extract, type Header } from 'tar-stream';
import { type Finding, finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { type PackageLimits, type PackageRead, type PackageSource, packageLimits } from '../source.ts';
import { PackageTree, type TreeEntry } from './package-tree.ts';
import { unreadable } from './unreadable.ts';

type Entry = ExtractEvents['entry'][1];

/** Reads packages that are tar archives, plain or compressed with gzip. A location is taken from `base`. */
export class TarSource implements PackageSource {
  readonly #base: string;
  readonly #limits: PackageLimits;

  constructor(base: string, limits: PackageLimits = packageLimits) {
    this.#base = base;
    this.#limits = limits;
  }

  async read({ location }: Source): Promise<PackageRead> {
    const archive = await this.#readArchive(location);
    if (!(archive instanceof Uint8Array)) return { ok: false, findings: [archive] };
    const tree = new PackageTree(location, this.#limits);
    try {
      await addEntries(tree, archive);
    } catch (error) {
      const refused = tree.finish(); // what was found before the damage is worth saying too
      const found = refused.ok ? [] : refused.findings;
      return { ok: false, findings: [...found, damaged(location, error)] };
    }
    return tree.finish();
  }

  /** The bytes of the archive, no longer compressed, never more than a package may have. */
  async #readArchive(location: string): Promise<Uint8Array | Finding> {
    const path = resolve(this.#base, location);
    const most = archiveBytes(this.#limits);
    try {
      const about = await stat(path);
      if (!about.isFile()) return notAnArchive(location);
      if (about.size > most) return tooLarge(location, most);
      const bytes = await readFile(path);
      if (bytes.length === 0) return damaged(location, 'it is empty');
      return isGzip(bytes) ? await inflate(bytes, most, location) : bytes;
    } catch (error) {
      return unreadable(location, error);
    }
  }
}

const gunzipUpTo = promisify(gunzip);

/** Stops as soon as more than `most` bytes came out: a small archive can hold terabytes of zeros. */
async function inflate(bytes: Uint8Array, most: number, location: string): Promise<Uint8Array | Finding> {
  try {
    return await gunzipUpTo(bytes, { maxOutputLength: most });
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? tooLarge(location, most) : damaged(location, error);
  }
}

async function addEntries(tree: PackageTree, archive: Uint8Array): Promise<void> {
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const { header } = entry;
    if (tree.leavesOut(header.name)) entry.resume();
    else {
      const content = await readContent(tree, entry);
      if (content !== undefined) tree.add({ path: header.name, content });
    }
    if (tree.isFull) return;
  }
}

/** What one entry is; nothing when there is no room left for it. The stream of the entry is always used up. */
async function readContent(tree: PackageTree, entry: Entry): Promise<TreeEntry['content'] | undefined> {
  const { header } = entry;
  const { type, name, linkname } = header;
  if (type === 'file' || type === 'contiguous-file') {
    if (name.endsWith('/')) return used(entry, { type: 'folder' }); // how the first tars wrote folders
    if (!tree.takeRoom(name, header.size)) return undefined;
    return { type: 'file', bytes: await bytesOf(entry), executable: (header.mode & 0o100) !== 0 };
  }
  if (type === 'directory') return used(entry, { type: 'folder' });
  if (type === 'symlink') return used(entry, { type: 'symlink', target: linkname ?? '' });
  if (type === 'link') return used(entry, { type: 'hardlink', target: linkname ?? '' });
  return used(entry, { type: 'other', what: describe(type) });
}

async function bytesOf(entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function used(entry: Entry, content: TreeEntry['content']): TreeEntry['content'] {
  entry.resume();
  return content;
}

function describe(type: Header['type']): string {
  if (type === 'fifo') return 'a pipe';
  return type === 'character-device' || type === 'block-device'
    ? 'a device'
    : 'neither file, folder nor link';
}

/** A tar has a header of 512 bytes for each entry, sometimes two more for a long name, and fills up each file. */
function archiveBytes({ files, totalBytes }: PackageLimits): number {
  return totalBytes + files * 2048 + 65536;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function damaged(location: string, error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error);
  const advice = 'Pack it again as a tar archive, plain or with gzip.';
  return finding('PackageInvalid', `package ${location} is no sound tar archive: ${why}`, {}, advice);
}

function tooLarge(location: string, most: number): Finding {
  return finding('PackageTooLarge', `package ${location}: the archive holds more than ${most} bytes`);
}

function notAnArchive(location: string): Finding {
  const advice = 'Name the archive, or use `type: local` for a folder.';
  return finding('PackageInvalid', `package ${location} is no file`, {}, advice);
}
