import type { Finding } from '../api/finding.ts';
import type { Source } from '../api/openstack-deployment.ts';
import type { ChartRenderer } from './chart/chart-renderer.ts';

/** One plain file of a package. */
export interface PackageFile {
  /** From the root of the package, with `/` between folders. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** All files of a package, sorted by path (code unit order), no path twice. Links are already followed. */
export type PackageFiles = readonly PackageFile[];

/** The files of a package, or everything that is wrong with where they come from. */
export type PackageRead =
  | { readonly ok: true; readonly files: PackageFiles }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Where the bytes of packages come from. What it gives is safe to use: no path leads out of the package, nothing is a
 * device, and size and number are bounded. Reading changes nothing and may be done again; a package that is not there
 * or not right is a finding, never an exception. `location` has no placeholders left.
 */
export interface PackageSource {
  read(source: Source): Promise<PackageRead>;
  /** The one file at a location, which is no package; `PackageNotFound` where there is none. Absent where only packages can be read. */
  readFile?(location: string): Promise<PackageRead>;
  /** Renders those that are charts. Absent where nobody can: a chart is then refused as where there is no Helm. */
  readonly charts?: ChartRenderer | undefined;
}

/** The most a package may hold. Far above any real one, far below what would hurt the manager. */
export const packageLimits = { files: 2_000, fileBytes: 16 * 1024 ** 2, totalBytes: 64 * 1024 ** 2 } as const;

export type PackageLimits = { readonly [limit in keyof typeof packageLimits]: number };
