import { managedBy, managedByLabel, packageLabel } from '../../api/labels.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { CodedError } from '../../base/coded-error.ts';
import { type Digest, shortDigest } from '../../base/digest.ts';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { packageDigest } from '../../package/package-digest.ts';
import type { PackageFiles } from '../../package/source.ts';
import { packFiles } from './package-archive.ts';
import { type IndexEntry, sourceKey, writeIndex } from './package-index.ts';
import { type ChunkSet, keepChunks, readChunkSet } from './stored-chunks.ts';

/** A package and where it came from; `location` has no placeholders left. */
export interface PushedPackage {
  readonly source: Source;
  readonly files: PackageFiles;
  readonly digest: Digest;
}

/** The beginning of the names of all Secrets that hold packages. */
export const packagePrefix = 'afloat-package-';

/** Where the Secrets of a package are. */
export function packageChunks(namespace: string, digest: Digest): ChunkSet {
  const hex = digest.replace(/^sha256:/, '').slice(0, 20);
  return {
    namespace,
    nameOf: index => `${packagePrefix}${hex}-${index}`,
    labels: { [managedByLabel]: managedBy, [packageLabel]: shortDigest(digest) },
    ownedBy: [managedByLabel, packageLabel],
  };
}

/**
 * Brings packages into the cluster. What is there already is left; what an earlier push left half, or what was damaged since, is
 * made whole. The index names a package only when all of it is there, so a push may be cut off anywhere and repeated. Throws
 * `DigestMismatch` for a package whose digest is not that of its files.
 */
export async function pushPackages(
  cluster: Cluster,
  namespace: string,
  packages: readonly PushedPackage[],
  clock: Pick<Clock, 'wall'> = systemClock,
): Promise<void> {
  const entries = new Map<string, IndexEntry>();
  for (const { source, files, digest } of packages) {
    if (packageDigest(files) !== digest) {
      const message = `package ${source.location} does not have the digest ${shortDigest(digest)}`;
      throw new CodedError('DigestMismatch', message);
    }
    const chunks = await keepPackage(cluster, namespace, { files, digest });
    const pushedAt = new Date(clock.wall()).toISOString();
    entries.set(sourceKey(source), { ...source, digest, chunks, pushedAt });
  }
  await writeIndex(cluster, namespace, entries);
}

async function keepPackage(
  cluster: Cluster,
  namespace: string,
  { files, digest }: Pick<PushedPackage, 'files' | 'digest'>,
): Promise<number> {
  const set = packageChunks(namespace, digest);
  const stored = await readChunkSet(cluster, set);
  if (stored.ok) return stored.names.length;
  return (await keepChunks(cluster, set, await packFiles(files))).length;
}
