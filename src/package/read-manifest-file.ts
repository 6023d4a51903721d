import { finding } from '../api/finding.ts';
import type { PackageFile, PackageRead, PackageSource } from './source.ts';

/** So many folders above a file are tried as the package it lies in. */
const mostFolders = 8;

/**
 * The one file at a location: of a package that it lies in, or by itself where the source can read single files. Where it is nowhere the
 * finding of the nearest folder is given.
 */
export async function readManifestFile(source: PackageSource, location: string): Promise<PackageRead> {
  const alone = await source.readFile?.(location);
  if (alone && (alone.ok || alone.findings.some(({ code }) => code !== 'PackageNotFound'))) return alone;
  const parts = location.split('/');
  let first: PackageRead | undefined;
  for (let depth = 1; depth <= Math.min(mostFolders, parts.length - 1); depth++) {
    const folder = parts.slice(0, -depth).join('/');
    if (folder === '') break;
    const read = await source.read({ type: 'local', location: folder });
    const file = read.ok ? fileIn(read.files, parts.slice(-depth).join('/')) : undefined;
    if (file) return { ok: true, files: [file] };
    first ??= read.ok ? notIn(folder, location) : read;
  }
  return first ?? notIn('.', location);
}

function fileIn(files: readonly PackageFile[], path: string): PackageFile | undefined {
  return files.find(file => file.path === path);
}

function notIn(folder: string, location: string): PackageRead {
  const message = `there is no file ${location}${folder === '.' ? '' : ` in the package ${folder}`}`;
  return { ok: false, findings: [finding('PackageNotFound', message)] };
}
