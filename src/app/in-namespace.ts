import { type Finding, finding } from '../api/finding.ts';
import { isObject } from '../base/json.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import { placeOf } from '../record/place-of.ts';

/** Where a record belongs that does not say it by itself. */
export interface NamespaceWish {
  /** The one a person named: a record may say the same or nothing. */
  readonly named?: string;
  /** The one that is meant where nobody says anything. */
  readonly usual?: string;
}

/** Records with the namespace that is meant written into them; a record that says another than the person is a finding. */
export function inNamespace(
  manifests: readonly Manifest[],
  { named, usual }: NamespaceWish,
): { readonly manifests: readonly Manifest[]; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const placed = manifests.map(manifest => {
    const { object } = manifest;
    const metadata = object['metadata'];
    if (object['kind'] !== 'OpenstackDeployment' || !isObject(metadata)) return manifest;
    const { namespace = named ?? usual } = metadata;
    if (named !== undefined && namespace !== named) {
      const message = `the record is for namespace ${String(namespace)}, and --namespace says ${named}`;
      findings.push(finding('UsageInvalid', message, placeOf(manifest, ['metadata', 'namespace'])));
    }
    if (namespace === undefined) return manifest;
    return { ...manifest, object: { ...object, metadata: { ...metadata, namespace } } };
  });
  return { manifests: placed, findings };
}
