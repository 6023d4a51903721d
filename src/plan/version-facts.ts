import type { PackageLifecycle } from '../api/package-lifecycle.ts';
import { parseSeries, type Series } from '../api/version/series.ts';
import { compareVersions, distance, parseVersion, type Version } from '../api/version/version.ts';
import { parseLimit, satisfies } from '../api/version/version-limit.ts';

/** How a version stands to another one; `unknown` where the two cannot be compared. */
export type VersionMove = 'same' | 'up' | 'down' | 'unknown';

/** The direction from one version to another, by the order the package names or their form tells. */
export function moveBetween(from: string, to: string, lifecycle: PackageLifecycle): VersionMove {
  if (from === to) return 'same';
  const before = read(from, lifecycle);
  const after = read(to, lifecycle);
  const order = before && after ? compareVersions(before, after) : undefined;
  if (order === undefined) return 'unknown';
  if (order === 0) return 'same';
  return order < 0 ? 'up' : 'down';
}

/** How many releases lie between two versions; undefined where that cannot be told. */
export function releasesBetween(a: string, b: string, lifecycle: PackageLifecycle): number | undefined {
  const first = read(a, lifecycle);
  const second = read(b, lifecycle);
  return first && second ? distance(first, second) : undefined;
}

/**
 * Whether a version is inside a limit. A limit or version that cannot be read or compared is not met: what cannot be
 * shown to fit is not assumed to.
 */
export function isInside(version: string, limit: string, lifecycle?: PackageLifecycle): boolean {
  if (limit.trim() === '*') return true;
  const parsed = parseLimit(limit);
  const read = parseVersion(version, lifecycle?.versionScheme);
  return parsed.ok && read !== undefined && satisfies(read, parsed.limit) === true;
}

/** The OpenStack release a version belongs to: what its package says, or the version itself where it is one. */
export function seriesOf(version: string, lifecycle: PackageLifecycle | undefined): Series | undefined {
  return parseSeries(lifecycle?.series ?? version);
}

function read(text: string, lifecycle: PackageLifecycle): Version | undefined {
  return parseVersion(text, lifecycle.versionScheme);
}
