import type { Finding } from '../../api/finding.ts';
import { compareText } from '../../base/json.ts';
import { sourceKey } from '../../controller/store/package-index.ts';
import type { PushedPackage } from '../../controller/store/push-packages.ts';
import { gatherTargets } from '../../package/gather-targets.ts';
import type { ServiceTarget } from '../../package/package.ts';
import { packageDigest } from '../../package/package-digest.ts';
import type { PackageSource } from '../../package/source.ts';
import { load } from '../../record/load.ts';
import type { Manifest } from '../../record/parse-yaml.ts';
import type { ResolvedRecord } from '../../record/record.ts';
import { resolveRecord } from '../../record/resolve-record.ts';
import { fromFolder, fromRecord, packageBase } from '../decide.ts';
import { inNamespace, type NamespaceWish } from '../in-namespace.ts';
import { openPackages } from '../open-packages.ts';
import type { RecordRequest } from '../operator-verbs.ts';

/** A record that was checked, as it was written, with everything it is made of. */
export interface ReadRecord {
  readonly record: ResolvedRecord;
  readonly manifest: Manifest;
  /** Every package the record needs, with its files as they were read: what was checked is what is pushed. */
  readonly packages: readonly PushedPackage[];
  readonly targets: readonly ServiceTarget[];
}

/** Reads and checks a record and its packages as `plan` does; or everything that is wrong with them. */
export async function readRecord(
  { paths, folder, stdin }: RecordRequest,
  namespace: NamespaceWish,
  /** Packages that were brought into a namespace before. */
  pushed?: (namespace: string) => PackageSource,
): Promise<ReadRecord | { readonly findings: readonly Finding[]; readonly refused: false }> {
  const loaded = await load(
    paths.map(path => fromFolder(folder, path)),
    stdin,
  );
  const { manifests, findings: misplaced } = inNamespace(loaded.manifests, namespace);
  const resolved = resolveRecord(manifests, [...loaded.findings, ...misplaced]);
  const manifest = manifests.find(({ object }) => object['kind'] === 'OpenstackDeployment');
  if (!resolved.record || !manifest) return { findings: resolved.findings, refused: false };
  const { record } = resolved;
  const packages = new Map<string, PushedPackage>();
  const source = noting(openPackages(packageBase(record, folder), pushed?.(record.namespace)), packages);
  const { targets, findings } = await gatherTargets(record, source);
  if (findings.length > 0) return { findings: fromRecord(record, findings), refused: false };
  // Reads end in any order.
  const inOrder = [...packages].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  return { record, manifest, packages: inOrder, targets };
}

/** A source that keeps what was read through it. */
function noting(opened: PackageSource, packages: Map<string, PushedPackage>): PackageSource {
  return {
    ...opened,
    read: async source => {
      const result = await opened.read(source);
      if (result.ok) {
        const { files } = result;
        packages.set(sourceKey(source), { source, files, digest: packageDigest(files) });
      }
      return result;
    },
  };
}
