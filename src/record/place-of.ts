import { formatPath, type Place } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import type { FieldPart } from './locate.ts';
import type { Manifest } from './parse-yaml.ts';

/** Where a field of a manifest is, for a finding. */
export function placeOf(manifest: Manifest, path: FieldPath, part: FieldPart = 'value'): Place {
  return { file: manifest.file, ...manifest.locate(path, part), field: formatPath(path) };
}
