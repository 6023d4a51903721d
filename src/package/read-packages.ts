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

/** What is wrong with one service, while all others may be well. */
export interface Refusal {
  readonly service: string;
  readonly finding: Finding;
}

/** The packages that could be read, and what is wrong with the others, service by service. */
export interface ReadPackages {
  readonly packages: ReadonlyMap<string, ServicePackage>;
  readonly findings: readonly Finding[];
  readonly refused: readonly Refusal[];
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
): Promise<ReadPackages> {
  const first = new Map<string, NeededPackage>();
  for (const need of needed) {
    const key = packageKey(need.service, need.version);
    if (!first.has(key)) first.set(key, need);
  }
  const all = [...first.values()];
  const results = await mapAtOnce(all, readsAtOnce, need => readNeeded(need, source));
  const packages = results.flatMap(({ package: pkg }) =>
    pkg ? [[packageKey(pkg.lifecycle.service, pkg.lifecycle.version), pkg] as const] : [],
  );
  const refused = all.flatMap(({ service }, index) =>
    (results[index]?.findings ?? []).map(found => ({ service, finding: found })),
  );
  return { packages: new Map(packages), findings: refused.map(({ finding: found }) => found), refused };
}

async function readNeeded(
  need: NeededPackage,
  source: PackageSource,
): Promise<{ package?: ServicePackage; findings: readonly Finding[] }> {
  const from = fillSource(need);
  if (!from) {
    const message = `${need.service} ${need.version} cannot be part of a path`;
    return { findings: [finding('PackageUnsafe', message, need.place)] };
  }
  const location = sayLocation(from);
  const bytes = await source.read(from);
  if (!bytes.ok) return { findings: bytes.findings.map(found => ({ ...need.place, ...found })) };
  const { service, version } = need;
  const read = readPackage(bytes.files, location, { service, version });
  if (!read.package) return read;
  const findings = mismatches(need, read.package);
  return findings.length > 0 ? { findings } : read;
}

/** The source with its placeholders replaced; nothing when a name or version would lead somewhere else. */
export function fillSource({ service, version, source }: NeededPackage): Source | undefined {
  const isSafe = (text: string) => /^[A-Za-z0-9][A-Za-z0-9.+:~_-]*$/.test(text);
  if (!isSafe(service) || !isSafe(version)) return undefined;
  const fill = (text: string) =>
    text.replaceAll('{name}', () => service).replaceAll('{version}', () => version);
  const { location, path } = source;
  return { ...source, location: fill(location), ...(path === undefined ? {} : { path: fill(path) }) };
}

/** Where a package lies, as people say it. */
function sayLocation({ location, commit, path }: Source): string {
  return [
    location,
    ...(commit === undefined ? [] : [commit.slice(0, 12)]),
    ...(path === undefined ? [] : [path]),
  ].join(' ');
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
