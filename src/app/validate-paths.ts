import type { Finding } from '../api/finding.ts';
import { checkPlaceholders } from '../package/check-placeholders.ts';
import { gatherTargets } from '../package/gather-targets.ts';
import { load } from '../record/load.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import { kindOf, unknownFields, validateManifest } from '../record/validate-manifest.ts';
import { fromFolder, fromRecord, packageBase } from './decide.ts';
import { openPackages } from './open-packages.ts';
import { isPackage, readOnePackage } from './read-one-package.ts';

/** Everything that is wrong with what some paths hold, and what was looked at. */
export interface Validation {
  readonly findings: readonly Finding[];
  /** What is accepted and yet worth a word. */
  readonly warnings: readonly Finding[];
  /** What was checked, in words. */
  readonly checked: readonly string[];
}

/** Checks manifests of any kind, records with their packages, and packages by themselves. */
export async function validatePaths(
  paths: readonly string[],
  { folder, stdin }: { folder: string; stdin: string },
): Promise<Validation> {
  const results: Validation[] = [];
  const files: string[] = [];
  for (const path of paths) {
    if (await isPackage(path, folder)) results.push(await validatePackage(path, folder));
    else files.push(path);
  }
  if (files.length > 0) results.push(await validateFiles(files, { folder, stdin }));
  return {
    findings: results.flatMap(result => result.findings),
    warnings: results.flatMap(result => result.warnings),
    checked: results.flatMap(result => result.checked),
  };
}

async function validatePackage(path: string, folder: string): Promise<Validation> {
  const read = await readOnePackage(path, folder);
  if ('findings' in read) return { findings: read.findings, warnings: [], checked: [] };
  const { service, version } = read.package.lifecycle;
  return { ...checkPlaceholders(read.package), checked: [`package ${service} ${version}`] };
}

async function validateFiles(
  paths: readonly string[],
  { folder, stdin }: { folder: string; stdin: string },
): Promise<Validation> {
  const { manifests, findings } = await load(
    paths.map(path => fromFolder(folder, path)),
    stdin,
  );
  const warnings = manifests.flatMap(unknownFields);
  const checked = manifests.map(nameOf);
  const hasRecord = manifests.some(manifest => kindOf(manifest)?.kind === 'OpenstackDeployment');
  if (!hasRecord)
    return { findings: [...findings, ...manifests.flatMap(validateManifest)], warnings, checked };
  const resolved = resolveRecord(manifests, findings);
  if (!resolved.record) return { findings: resolved.findings, warnings, checked };
  const gathered = await gatherTargets(resolved.record, openPackages(packageBase(resolved.record, folder)));
  const packages = [...gathered.packages.values()].map(
    ({ lifecycle }) => `package ${lifecycle.service} ${lifecycle.version}`,
  );
  return {
    findings: [...resolved.findings, ...fromRecord(resolved.record, gathered.findings)],
    warnings,
    checked: [...checked, ...packages],
  };
}

function nameOf({ object, file }: Manifest): string {
  const metadata = object['metadata'];
  const name =
    typeof metadata === 'object' && metadata !== null && 'name' in metadata ? String(metadata['name']) : file;
  return `${String(object['kind'])} ${name}`;
}
