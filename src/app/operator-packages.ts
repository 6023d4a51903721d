import type { Source } from '../api/openstack-deployment.ts';
import type { Digest } from '../base/digest.ts';
import type { ClusterPackages } from '../controller/store/cluster-packages.ts';
import { sourceKey } from '../controller/store/package-index.ts';
import type { PushedPackage } from '../controller/store/push-packages.ts';
import type { PackagesByDigest } from '../controller/store/unpack-package.ts';
import type { ChartRenderer } from '../package/chart/chart-renderer.ts';
import { packageDigest } from '../package/package-digest.ts';
import type { PackageRead, PackageSource } from '../package/source.ts';

/** A repository that could not be read is not asked again in every pass. */
const askAgainSeconds = 60;

/** What an operator has beside the cluster. */
export interface OperatorSources {
  /** The folder that existing manifests name paths below. */
  readonly root?: PackageSource;
  /** Fetches repositories. */
  readonly git?: PackageSource;
  /** Renders charts. */
  readonly charts?: ChartRenderer;
  /** Brings what was fetched into the cluster. */
  readonly keep?: (fetched: PushedPackage) => Promise<void>;
}

/** So many places of packages are remembered by their content. */
const mostPlaces = 256;

/**
 * Where an operator reads packages from: the folder on its disk where it was given one and the package lies there, otherwise the cluster; a
 * repository that nobody pushed is fetched, and kept in the cluster as if somebody had. What lies in none of them is told as
 * `PackageNotInCluster`: that is what a person can mend from outside.
 */
export class OperatorPackages implements PackageSource, PackagesByDigest {
  readonly #pushed: ClusterPackages;
  readonly #options: OperatorSources;
  readonly #places = new Map<Digest, Source>();
  /** Repositories that could not be read, and until when they are not asked again. */
  readonly #failed = new Map<string, { readonly read: PackageRead; readonly until: number }>();

  constructor(pushed: ClusterPackages, options: OperatorSources = {}) {
    this.#pushed = pushed;
    this.#options = options;
  }

  get charts(): ChartRenderer | undefined {
    return this.#options.charts;
  }

  get #root(): PackageSource | undefined {
    return this.#options.root;
  }

  async read(source: Source): Promise<PackageRead> {
    if (source.type === 'git') return this.#readGit(source);
    const own = await this.#root?.read(source);
    if (own?.ok) this.#remember(packageDigest(own.files), source);
    return own && !isAbsent(own) ? own : this.#pushed.read(source);
  }

  async readFile(location: string): Promise<PackageRead> {
    const own = await this.#root?.readFile?.(location);
    // Without a folder of its own files are only found in packages.
    return own ?? { ok: false, findings: [] };
  }

  async readDigest(digest: Digest): Promise<PackageRead> {
    const pushed = await this.#pushed.readDigest(digest);
    const place = this.#places.get(digest);
    if (pushed.ok || !place) return pushed;
    const own = await this.#root?.read(place);
    return own?.ok && packageDigest(own.files) === digest ? own : pushed;
  }

  async #readGit(source: Source): Promise<PackageRead> {
    const pushed = await this.#pushed.read(source);
    const { git, keep } = this.#options;
    if (pushed.ok || !git || !isAbsent(pushed)) return pushed;
    const key = sourceKey(source);
    const failed = this.#failed.get(key);
    if (failed && failed.until > performance.now()) return failed.read;
    this.#failed.delete(key);
    const read = await git.read(source);
    if (read.ok) await keep?.({ source, files: read.files, digest: packageDigest(read.files) });
    else this.#failed.set(key, { read, until: performance.now() + askAgainSeconds * 1000 });
    return read;
  }

  #remember(digest: Digest, source: Source): void {
    this.#places.set(digest, source);
    if (this.#places.size > mostPlaces) this.#places.delete(this.#places.keys().next().value ?? '');
  }
}

function isAbsent(read: PackageRead): boolean {
  return (
    !read.ok && read.findings.some(({ code }) => code === 'PackageNotFound' || code === 'PackageNotInCluster')
  );
}
