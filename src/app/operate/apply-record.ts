import type { Finding } from '../../api/finding.ts';
import { apiVersion, group } from '../../api/group.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import { type PushedPackage, pushPackages } from '../../controller/store/push-packages.ts';
import { gatherTargets } from '../../package/gather-targets.ts';
import { packageDigest } from '../../package/package-digest.ts';
import { openSource } from '../../package/source/open-source.ts';
import type { PackageSource } from '../../package/source.ts';
import { load } from '../../record/load.ts';
import type { Manifest } from '../../record/parse-yaml.ts';
import type { ResolvedRecord } from '../../record/record.ts';
import { resolveRecord } from '../../record/resolve-record.ts';
import { fromFolder, fromRecord, packageBase } from '../decide.ts';
import { ensureNamespace } from '../ensure-namespace.ts';
import type { Applied, ApplyRequest } from '../operator-verbs.ts';

/** Who the fields of a record belong to that was applied from the command line. */
export const fieldManager = 'afloat-cli';

/** What a person said about a change, kept with the record. */
export const messageAnnotation = `${group}/message`;

/**
 * Checks record and packages as `plan` does, brings the packages into the cluster, then applies the record: an operator never
 * sees a record whose packages are not there. Where anything is wrong nothing is written.
 */
export async function applyRecord(
  cluster: Cluster,
  { paths, folder, stdin, message }: ApplyRequest,
): Promise<Applied> {
  const { manifests, findings } = await load(
    paths.map(path => fromFolder(folder, path)),
    stdin,
  );
  const resolved = resolveRecord(manifests, findings);
  const manifest = manifests.find(({ object }) => object['kind'] === 'OpenstackDeployment');
  if (!resolved.record || !manifest) return { findings: resolved.findings, refused: false };
  const { record } = resolved;
  const read = await readPackages(record, folder);
  if ('findings' in read) return { findings: fromRecord(record, read.findings), refused: false };
  try {
    await ensureNamespace(cluster, record.namespace);
  } catch (error) {
    // Who may not see or make namespaces may still write into one that is there; the next write tells.
    if (!isReason(error, 'Forbidden')) throw error;
  }
  await refuseSecond(cluster, record);
  await pushPackages(cluster, record.namespace, read.packages);
  return { ...(await writeRecord(cluster, record, manifest, message)), packages: read.packages.length };
}

/** One record per namespace: two would fight over it. */
async function refuseSecond(cluster: Cluster, { name, namespace }: ResolvedRecord): Promise<void> {
  const { items } = await cluster.list({ apiVersion, kind: 'OpenstackDeployment' }, { namespace });
  const other = items.find(({ metadata }) => metadata.name !== name);
  if (other)
    throw new CodedError(
      'NotNow',
      `namespace ${namespace} already has the record ${other.metadata.name}; a second one is not taken`,
    );
}

/** Every package the record needs, with its files as they were read: what was checked is what is pushed. */
async function readPackages(
  record: ResolvedRecord,
  folder: string,
): Promise<{ readonly packages: PushedPackage[] } | { readonly findings: readonly Finding[] }> {
  const opened = openSource(packageBase(record, folder));
  const packages = new Map<string, PushedPackage>();
  const source: PackageSource = {
    read: async asked => {
      const result = await opened.read(asked);
      if (result.ok) {
        const { files } = result;
        packages.set(`${asked.type}:${asked.location}`, {
          source: asked,
          files,
          digest: packageDigest(files),
        });
      }
      return result;
    },
  };
  const { findings } = await gatherTargets(record, source);
  return findings.length > 0 ? { findings } : { packages: [...packages.values()] };
}

async function writeRecord(
  cluster: Cluster,
  record: ResolvedRecord,
  { object }: Manifest,
  message: string | undefined,
): Promise<{ cloud: string; namespace: string; generation: number; changed: boolean }> {
  const { name, namespace } = record;
  const ref = { apiVersion: String(object['apiVersion']), kind: 'OpenstackDeployment', name, namespace };
  const before = (await findObject(cluster, ref))?.metadata.generation;
  const written = (object['metadata'] ?? {}) as JsonObject;
  const annotations = {
    ...(written['annotations'] as JsonObject),
    ...(message === undefined ? {} : { [messageAnnotation]: message }),
  };
  const value = {
    ...object,
    metadata: {
      ...written,
      name,
      namespace,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
  } as unknown as ClusterObject;
  const stored = await cluster.patch(ref, { type: 'apply', value, fieldManager, force: true });
  const generation = stored.metadata.generation ?? 1;
  return { cloud: name, namespace, generation, changed: generation !== before };
}
