import { type Finding, finding } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { isObject, type Json } from '../base/json.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import { placeOf } from '../record/place-of.ts';

/**
 * What every object of a package must have before its placeholders are replaced. `apiVersion` and `kind` are written
 * out: by them the object is put into a phase, and no value may change that.
 */
export function checkManifest(manifest: Manifest): Finding[] {
  const { apiVersion, kind, metadata } = manifest.object;
  const invalid = (path: FieldPath, message: string, advice?: string) =>
    finding('ManifestInvalid', message, placeOf(manifest, path), advice);
  const findings: Finding[] = [];
  if (!matches(apiVersion, /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?v[a-z0-9]+$/)) {
    findings.push(invalid(['apiVersion'], problemWith('apiVersion', apiVersion)));
  }
  if (!matches(kind, /^[A-Z][A-Za-z0-9]*$/)) findings.push(invalid(['kind'], problemWith('kind', kind)));
  if (kind === 'List') {
    findings.push(invalid(['kind'], 'a List is no object', 'Write its items as documents of their own.'));
  }
  if (!isObject(metadata)) return [...findings, invalid(['metadata'], 'metadata.name is missing')];
  if (typeof metadata['name'] !== 'string' || metadata['name'] === '') {
    const { name } = metadata;
    findings.push(invalid(['metadata', 'name'], problemWith('metadata.name', name)));
  }
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined || map === null || isObject(map)) continue;
    findings.push(invalid(['metadata', field], `metadata.${field} must be a map`));
  }
  return findings;
}

function matches(value: Json | undefined, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function problemWith(field: string, value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return `${field} is missing`;
  return typeof value === 'string'
    ? `${field} is ${JSON.stringify(value.slice(0, 80))}`
    : `${field} must be text`;
}
