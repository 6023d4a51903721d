import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Finding } from '../api/finding.ts';
import type { ServicePackage } from '../package/package.ts';
import { readPackage } from '../package/read-package.ts';
import { openSource } from '../package/source/open-source.ts';

/** Whether a path is a package: a folder with a lifecycle.yaml or a Chart.yaml, or an archive. */
export async function isPackage(path: string, folder: string): Promise<boolean> {
  if (path === '-') return false;
  if (/\.(tar|tgz|tar\.gz)$/.test(path)) return true;
  const whole = resolve(folder, path);
  return (await exists(join(whole, 'lifecycle.yaml'))) || (await exists(join(whole, 'Chart.yaml')));
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
  const whole = resolve(folder, path);
  const type = /\.(tar|tgz|tar\.gz)$/.test(path) ? 'tar' : 'local';
  const files = await openSource(dirname(whole)).read({ type, location: basename(whole) });
  if (!files.ok) return { findings: files.findings };
  const read = readPackage(files.files, path);
  return read.package && read.findings.length === 0 ? { package: read.package } : { findings: read.findings };
}
