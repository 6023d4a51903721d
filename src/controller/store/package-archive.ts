import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { compareText } from '../../base/json.ts';
import { checkPath } from '../../package/source/package-path.ts';
import { type PackageFile, type PackageFiles, packageLimits } from '../../package/source.ts';

const compressBrotli = promisify(brotliCompress);
const decompressBrotli = promisify(brotliDecompress);

/** Beside the bytes of the files: paths and lengths. */
const listRoom = 8 * 1024 ** 2;

/** A level that costs little time; packages are text, and small. */
const quality = 5;

/** Bytes made smaller. */
export function compress(bytes: Uint8Array): Promise<Buffer> {
  return compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** What was compressed, at most so many bytes; undefined where the bytes are none of `compress`, or there are more of them. */
export async function decompress(bytes: Uint8Array, mostBytes: number): Promise<Buffer | undefined> {
  try {
    return await decompressBrotli(bytes, { maxOutputLength: mostBytes });
  } catch {
    return undefined;
  }
}

/**
 * The files of a package in one piece: a line of JSON with path, executable bit and length of each, then their bytes. The same files
 * give the same bytes before they are compressed.
 */
export function packFiles(files: PackageFiles): Promise<Buffer> {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  const list = sorted.map(({ path, executable, bytes }) => [path, executable, bytes.length]);
  return compress(
    Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...sorted.map(file => file.bytes)]),
  );
}

/**
 * The files of `packFiles`; undefined for anything else. What it gives is as safe as what a source gives: bounded, no path leads
 * out, none is there twice, and none is a folder of another.
 */
export async function unpackFiles(packed: Uint8Array): Promise<PackageFiles | undefined> {
  const bytes = await decompress(packed, packageLimits.totalBytes + listRoom);
  const lineEnd = bytes?.indexOf('\n') ?? -1;
  if (!bytes || lineEnd < 0) return undefined;
  const list = readList(bytes.subarray(0, lineEnd).toString('utf8'));
  if (!list) return undefined;
  const files: PackageFile[] = [];
  let at = lineEnd + 1;
  for (const { path, executable, length } of list) {
    files.push({ path, executable, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return at === bytes.length && arePathsSafe(files.map(({ path }) => path)) ? files : undefined;
}

interface Entry {
  readonly path: string;
  readonly executable: boolean;
  readonly length: number;
}

function readList(text: string): readonly Entry[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || list.length > packageLimits.files) return undefined;
  const entries = list.map(entryOf).filter(entry => entry !== undefined);
  return entries.length === list.length ? entries : undefined;
}

function entryOf(written: unknown): Entry | undefined {
  if (!Array.isArray(written)) return undefined;
  const [path, executable, length]: unknown[] = written;
  if (typeof path !== 'string' || typeof executable !== 'boolean' || !Number.isInteger(length))
    return undefined;
  const bytes = Number(length);
  return bytes >= 0 && bytes <= packageLimits.fileBytes ? { path, executable, length: bytes } : undefined;
}

function arePathsSafe(paths: readonly string[]): boolean {
  const all = new Set(paths);
  return paths.every((path, place) => {
    const checked = checkPath(path);
    if (!checked.ok || checked.parts.join('/') !== path || path === '') return false;
    const isInOrder = place === 0 || compareText(paths[place - 1] ?? '', path) < 0;
    const folders = checked.parts.slice(0, -1).map((_, depth) => checked.parts.slice(0, depth + 1).join('/'));
    return isInOrder && !folders.some(folder => all.has(folder));
  });
}
