import { type Finding, finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { type Digest, shortDigest } from '../../base/digest.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { packageDigest } from '../../package/package-digest.ts';
import type { PackageFiles, PackageRead, PackageSource } from '../../package/source.ts';
import { unpackFiles } from './package-archive.ts';
import { readIndex, sourceKey } from './package-index.ts';
import { packageChunks } from './push-packages.ts';
import { type BrokenChunks, readChunkSet } from './stored-chunks.ts';

/** How many bytes of packages are kept at hand. */
const defaultCacheBytes = 32 * 1024 ** 2;

/**
 * The packages that were pushed into a namespace. What it gives has the digest it was asked for. A package that is not there is the finding
 * `PackageNotInCluster`, one that is not whole is `StoredContentDamaged`; a cluster that does not answer is a `ClusterError`.
 */
export class ClusterPackages implements PackageSource {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #cacheBytes: number;
  /** Those that were asked for last, by digest; the one that was asked for least lately comes first. */
  readonly #cache = new Map<Digest, { readonly files: PackageFiles; readonly bytes: number }>();
  #cachedBytes = 0;

  constructor(cluster: Cluster, namespace: string, options: { readonly cacheBytes?: number } = {}) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#cacheBytes = options.cacheBytes ?? defaultCacheBytes;
  }

  /** The package that was last pushed from this source. */
  async read(source: Source): Promise<PackageRead> {
    const index = await readIndex(this.#cluster, this.#namespace);
    const entry = index.get(sourceKey(source));
    return entry ? this.#find(entry.digest, source.location) : notThere(`package ${source.location}`);
  }

  /** The package with this content, wherever it was pushed from. */
  readDigest(digest: Digest): Promise<PackageRead> {
    return this.#find(digest, shortDigest(digest));
  }

  async #find(digest: Digest, name: string): Promise<PackageRead> {
    const known = this.#cache.get(digest);
    if (known) {
      this.#cache.delete(digest);
      this.#cache.set(digest, known);
      return { ok: true, files: known.files };
    }
    const set = packageChunks(this.#namespace, digest);
    const stored = await readChunkSet(this.#cluster, set);
    if (!stored.ok && stored.damaged.length === 0 && stored.missing.includes(set.nameOf(0)))
      return notThere(`package ${name}`);
    if (!stored.ok) return { ok: false, findings: brokenFindings(`package ${name}`, stored) };
    const files = await unpackFiles(stored.bytes);
    if (!files || packageDigest(files) !== digest) {
      return {
        ok: false,
        findings: brokenFindings(`package ${name}`, { damaged: stored.names, missing: [] }),
      };
    }
    this.#remember(digest, files);
    return { ok: true, files };
  }

  #remember(digest: Digest, files: PackageFiles): void {
    const bytes = files.reduce((total, file) => total + file.bytes.length, 0);
    if (this.#cache.has(digest) || bytes > this.#cacheBytes) return;
    this.#cache.set(digest, { files, bytes });
    this.#cachedBytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#cache) {
      if (this.#cachedBytes <= this.#cacheBytes) return;
      this.#cache.delete(oldest);
      this.#cachedBytes -= freed;
    }
  }
}

function notThere(what: string): PackageRead {
  return { ok: false, findings: [finding('PackageNotInCluster', `${what} is not in the cluster`)] };
}

/** One finding for each Secret that is gone or damaged. */
function brokenFindings(what: string, { missing, damaged }: Omit<BrokenChunks, 'ok'>): Finding[] {
  return [
    ...missing.map(name => finding('StoredContentDamaged', `${what}: Secret ${name} is gone`)),
    ...damaged.map(name => finding('StoredContentDamaged', `${what}: Secret ${name} is damaged`)),
  ];
}
