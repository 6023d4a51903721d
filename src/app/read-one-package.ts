import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Finding } from '../api/finding.ts';
import { type RenderedChart, renderChart } from '../package/chart/render-chart.ts';
import type { ServicePackage } from '../package/package.ts';
import { readPackage } from '../package/read-package.ts';
import { openPackages } from './open-packages.ts';

/** Files that make a folder a package; the second only to say what is wrong with it. */
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

/** What was read by its path: a package, and of a chart also what was decided about its objects. */
export type OnePackage =
  | { readonly package: ServicePackage; readonly decided?: RenderedChart['decided'] }
  | { readonly findings: readonly Finding[] };

/** Reads a package by its path, without a record; a chart is rendered with its own values, as `helm template` would. */
export async function readOnePackage(path: string, folder: string): Promise<OnePackage> {
  const root = packageRoot(path);
  const whole = resolve(folder, root);
  const type = archive.test(root) ? 'tar' : 'local';
  const { charts, ...source } = openPackages(dirname(whole));
  const files = await source.read({ type, location: basename(whole) });
  if (!files.ok) return { findings: files.findings.map(found => atPath(found, path)) };
  const read = readPackage(files.files, root);
  if (!read.package || read.findings.length > 0) return { findings: read.findings };
  const wish = { namespace: 'default', values: {}, shared: {}, standIns: [], use: 'planned' } as const;
  const rendered = await renderChart(read.package, wish, charts);
  if (!rendered.package) return { findings: rendered.findings };
  return { package: rendered.package, ...(rendered.decided ? { decided: rendered.decided } : {}) };
}

/** There is no record here whose `source` could be wrong: the path itself is what to look at. */
function atPath(found: Finding, path: string): Finding {
  const advice = found.code === 'PackageNotFound' ? 'Check the path.' : found.advice;
  return { file: path, ...found, advice };
}
