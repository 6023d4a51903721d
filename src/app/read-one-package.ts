import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Finding } from '../api/finding.ts';
import type { ServicePackage } from '../package/package.ts';
import { readPackage } from '../package/read-package.ts';
import { openSource } from '../package/source/open-source.ts';

/** Files that make a folder a package; the last two only to say what is wrong with it. */
const packageMarks = ['lifecycle.yaml', 'lifecycle.yml', 'Chart.yaml'];
const archive = /\.(tar|tgz|tar\.gz)$/;

/** Whether a path is a package: a folder with a lifecycle.yaml or a Chart.yaml, that very file, or an archive. */
export async function isPackage(path: string, folder: string): Promise<boolean> {
  if (path === '-') return false;
  if (archive.test(path)) return true;
  const whole = resolve(folder, packageRoot(path));
  const marks = await Promise.all(packageMarks.map(name => exists(join(whole, name))));
  return marks.includes(true);
}

/** A person who edits lifecycle.yaml names that file; what is meant is the package around it. */
function packageRoot(path: string): string {
  return packageMarks.includes(basename(path)) ? dirname(path) : path;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Reads a package by its path, without a record. */
export async function readOnePackage(
  path: string,
  folder: string,
): Promise<{ readonly package: ServicePackage } | { readonly findings: readonly Finding[] }> {
  const root = packageRoot(path);
  const whole = resolve(folder, root);
  const type = archive.test(root) ? 'tar' : 'local';
  const files = await openSource(dirname(whole)).read({ type, location: basename(whole) });
  if (!files.ok) return { findings: files.findings.map(found => atPath(found, path)) };
  const read = readPackage(files.files, root);
  return read.package && read.findings.length === 0 ? { package: read.package } : { findings: read.findings };
}

/** There is no record here whose `source` could be wrong: the path itself is what to look at. */
function atPath(found: Finding, path: string): Finding {
  const advice = found.code === 'PackageNotFound' ? 'Check the path.' : found.advice;
  return { file: path, ...found, advice };
}
