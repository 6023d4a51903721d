import { type Finding, finding, type Place } from '../api/finding.ts';
import type { Source } from '../api/openstack-deployment.ts';
import type { Digest } from '../base/digest.ts';
import { shortDigest } from '../base/digest.ts';
import type { ServicePackage } from './package.ts';
import { readPackage } from './read-package.ts';
import type { PackageSource } from './source.ts';

/** One package that a record asks for. */
export interface NeededPackage {
  readonly service: string;
  readonly version: string;
  /** `location` still has its placeholders. */
  readonly source: Source;
  /** Where the record asks for it. */
  readonly place: Place;
  /** The digest the record pins, and where. */
  readonly digest?: { readonly want: Digest; readonly place: Place };
}

/** The key of a package in a map of packages. */
export function packageKey(service: string, version: string): string {
  return `${service}@${version}`;
}

/** How many packages are read at the same time: enough to keep a disk busy, few enough to keep memory small. */
const readsAtOnce = 4;

/**
 * Reads each needed package once, and checks that it is the service and version that was asked for, with the content
 * that was pinned. The findings are in the order of `needed`, whatever order the reads end in.
 */
export async function readPackages(
  needed: readonly NeededPackage[],
  source: PackageSource,
): Promise<{ packages: ReadonlyMap<string, ServicePackage>; findings: readonly Finding[] }> {
  const first = new Map<string, NeededPackage>();
  for (const need of needed) {
    const key = packageKey(need.service, need.version);
    if (!first.has(key)) first.set(key, need);
  }
  const results = await mapAtOnce([...first.values()], readsAtOnce, need => readNeeded(need, source));
  const packages = results.flatMap(({ package: pkg }) =>
    pkg ? [[packageKey(pkg.lifecycle.service, pkg.lifecycle.version), pkg] as const] : [],
  );
  return { packages: new Map(packages), findings: results.flatMap(result => result.findings) };
}

async function readNeeded(
  need: NeededPackage,
  source: PackageSource,
): Promise<{ package?: ServicePackage; findings: readonly Finding[] }> {
  const location = fillLocation(need);
  if (location === undefined) {
    const message = `${need.service} ${need.version} cannot be part of a path`;
    return { findings: [finding('PackageUnsafe', message, need.place)] };
  }
  const bytes = await source.read({ type: need.source.type, location });
  if (!bytes.ok) return { findings: bytes.findings.map(found => ({ ...need.place, ...found })) };
  const read = readPackage(bytes.files, location);
  if (!read.package) return read;
  const findings = mismatches(need, read.package);
  return findings.length > 0 ? { findings } : read;
}

/** The location with its placeholders replaced; nothing when a name or version would lead somewhere else. */
export function fillLocation({ service, version, source }: NeededPackage): string | undefined {
  const isSafe = (text: string) => /^[A-Za-z0-9][A-Za-z0-9.+:~_-]*$/.test(text);
  if (!isSafe(service) || !isSafe(version)) return undefined;
  return source.location.replaceAll('{name}', () => service).replaceAll('{version}', () => version);
}

function mismatches(need: NeededPackage, { lifecycle, digest, location }: ServicePackage): Finding[] {
  const findings: Finding[] = [];
  if (lifecycle.service !== need.service || lifecycle.version !== need.version) {
    const is = `${lifecycle.service} ${lifecycle.version}`;
    const message = `package ${location} is ${is}, not ${need.service} ${need.version}`;
    findings.push(finding('PackageMismatch', message, need.place));
  }
  if (need.digest !== undefined && need.digest.want !== digest) {
    const want = shortDigest(need.digest.want);
    const message = `package ${location} has digest ${digest}, but the record pins ${want}`;
    findings.push(finding('DigestMismatch', message, need.digest.place));
  }
  return findings;
}

/** Maps with at most `limit` calls at a time; the results are in the order of the items. */
async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
