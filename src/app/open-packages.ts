import type { Cluster } from '../cluster/cluster.ts';
import { ClusterPackages } from '../controller/store/cluster-packages.ts';
import { HelmRenderer } from '../package/chart/helm-renderer.ts';
import { openSource } from '../package/source/open-source.ts';
import type { PackageSource } from '../package/source.ts';

/** The one that this process has: what was rendered for one caller is at hand for the next. */
export const charts = new HelmRenderer();

/** Packages that were brought into a namespace; those that are charts are rendered by Helm. */
export function pushedPackages(cluster: Cluster, namespace: string): PackageSource {
  const pushed = new ClusterPackages(cluster, namespace);
  return { read: source => pushed.read(source), charts };
}

/**
 * Packages of every type, from `base`; those that are charts are rendered by Helm. What does not lie there is taken from `pushed`: of what was
 * adopted, and of what somebody else brought, there is nothing on this machine.
 */
export function openPackages(base: string, pushed?: PackageSource): PackageSource {
  const own = openSource(base);
  return {
    ...own,
    charts,
    read: async source => {
      const read = await own.read(source);
      if (read.ok || !pushed || !read.findings.some(({ code }) => code === 'PackageNotFound')) return read;
      const there = await pushed.read(source);
      return there.ok ? there : read;
    },
  };
}
