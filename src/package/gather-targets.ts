import { type Finding, finding, formatPath, type Place } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { compareText } from '../base/json.ts';
import type { ResolvedRecord, ResolvedService } from '../record/record.ts';
import { findClashes, type RenderedPart } from './find-clashes.ts';
import { makeInventory } from './inventory.ts';
import { machineNeeds } from './machine-needs.ts';
import type { PackageNote, PartTarget, ServicePackage, ServiceTarget } from './package.ts';
import { componentNames, contextOf, wishedParts } from './part-contexts.ts';
import { type NeededPackage, packageKey, type Refusal, readPackages } from './read-packages.ts';
import { renderPart } from './render.ts';
import { renderCharts } from './render-charts.ts';
import type { PackageSource } from './source.ts';
import { routesOf } from './unrouted.ts';

/** What every service of a record shall be, and the packages it is made of. */
export interface GatheredTargets {
  /** By service name. Services with findings may be missing. */
  readonly targets: readonly ServiceTarget[];
  /** Every package that was read, by `packageKey`. */
  readonly packages: ReadonlyMap<string, ServicePackage>;
  readonly findings: readonly Finding[];
  /** The same findings, each with the service it is about; of two that bring the same object, with both. */
  readonly refused: readonly Refusal[];
}

/**
 * Reads the packages a record needs, each once, and works out what each service shall be. The same record and the same
 * packages give the same targets, to the byte, in whatever order the reads end. Where there are findings the targets
 * must not be planned from, but for services that nothing of `refused` is about.
 */
export async function gatherTargets(record: ResolvedRecord, source: PackageSource): Promise<GatheredTargets> {
  const services = [...record.services].sort((a, b) => compareText(a.name, b.name));
  const read = await readPackages(
    services.flatMap(service => neededPackages(record, service)),
    source,
  );
  const { packages, refused } = await renderCharts(record, read, source.charts);
  const gathered = services.map(service => gatherService(record, service, packages));
  const parts = gathered.flatMap(one => one.parts);
  const all: Refusal[] = [
    ...refused,
    ...gathered.flatMap(({ findings }, index) =>
      findings.map(found => ({ service: services[index]?.name ?? '', finding: found })),
    ),
    ...findClashes(parts).flatMap(clash =>
      clash.services.map(service => ({ service, finding: clash.finding })),
    ),
  ];
  return {
    targets: gathered.flatMap(one => one.target ?? []),
    packages,
    findings: eachOnce(all.map(one => one.finding)),
    refused: all,
  };
}

/** Where a field of a service is in the record. */
function placeIn(record: ResolvedRecord, service: ResolvedService, path: FieldPath): Place {
  const whole = ['spec', 'services', service.index, ...path];
  const file = record.file === undefined ? {} : { file: record.file };
  return { ...file, ...record.locate(whole), field: formatPath(whole) };
}

/** The packages a service needs: its own, then those of components and host groups that have versions of their own. */
export function neededPackages(record: ResolvedRecord, service: ResolvedService): NeededPackage[] {
  const { name, source, digest } = service;
  const need = (version: string, path: FieldPath): NeededPackage => ({
    service: name,
    version,
    source,
    place: placeIn(record, service, path),
    ...(version === service.version && digest !== undefined
      ? { digest: { want: digest, place: placeIn(record, service, ['digest']) } }
      : {}),
  });
  return [
    need(service.version, ['version']),
    ...service.components.flatMap(({ version, hostGroups = [] }, index) => [
      ...(version === undefined ? [] : [need(version, ['components', index, 'version'])]),
      ...hostGroups.flatMap((hostGroup, place) =>
        hostGroup.version === undefined
          ? []
          : [need(hostGroup.version, ['components', index, 'hostGroups', place, 'version'])],
      ),
    ]),
  ];
}

interface GatheredService {
  readonly target?: ServiceTarget;
  readonly parts: readonly RenderedPart[];
  readonly findings: readonly Finding[];
}

function gatherService(
  record: ResolvedRecord,
  service: ResolvedService,
  packages: ReadonlyMap<string, ServicePackage>,
): GatheredService {
  const pkg = packages.get(packageKey(service.name, service.version));
  if (!pkg) return { parts: [], findings: [] };
  const unknown = unknownComponents(record, service, pkg);
  const wished = wishedParts(service, pkg.lifecycle);
  const rendered: RenderedPart[] = [];
  const findings: Finding[] = [...unknown];
  const parts: PartTarget[] = [];
  for (const [index, { component, hostGroup, version, path }] of wished.entries()) {
    const own = packages.get(packageKey(service.name, version));
    if (!own) return { parts: [], findings }; // why it is missing has been said already
    if (!componentNames(own.lifecycle).includes(component)) {
      const message = `package ${own.location} has no component ${component}`;
      findings.push(finding('ReferenceUnknown', message, placeIn(record, service, path)));
      continue;
    }
    const context = contextOf(record, service, own);
    const group = hostGroup === undefined ? {} : { hostGroup };
    const result = renderPart(own, { ...context, component, ...group, first: index === 0 });
    findings.push(...result.findings);
    rendered.push({
      service: service.name,
      component,
      ...group,
      location: own.location,
      objects: result.objects,
    });
    const { digest: packageDigest, lifecycle } = own;
    const inventory = makeInventory(result.objects, record.namespace, routesOf(lifecycle, component));
    const needs = machineNeeds(result.objects, result.images);
    const notes = index === 0 && own.notes?.length ? { notes: notesForPlan(own, own.notes) } : {};
    parts.push({ component, ...group, version, packageDigest, lifecycle, inventory, needs, ...notes });
  }
  const { version, lifecycle } = { version: service.version, lifecycle: pkg.lifecycle };
  const target = { service: service.name, version, packageDigest: pkg.digest, lifecycle, parts };
  return { target, parts: rendered, findings };
}

/** A plan says the first; `afloat explain` says all. */
const mostNotes = 8;

function notesForPlan({ location }: ServicePackage, notes: readonly PackageNote[]): string[] {
  const said = notes.slice(0, mostNotes).map(({ message, file }) => {
    const path = file?.startsWith(`${location}/`) ? file.slice(location.length + 1) : file;
    return `chart${path === undefined ? '' : `, ${path}`}: ${message}`.slice(0, 400);
  });
  const more = notes.length - said.length;
  return more > 0 ? [...said, `chart: ${more} more notes; \`afloat explain\` has all`] : said;
}

function unknownComponents(record: ResolvedRecord, service: ResolvedService, pkg: ServicePackage): Finding[] {
  const names = componentNames(pkg.lifecycle);
  return service.components.flatMap(({ name }, index) => {
    if (names.includes(name)) return [];
    const near = didYouMean(name, names);
    const advice = near === undefined ? `It has ${names.join(', ')}.` : `Did you mean \`${near}\`?`;
    const message = `package ${pkg.location} has no component ${name}`;
    return [
      finding('ReferenceUnknown', message, placeIn(record, service, ['components', index, 'name']), advice),
    ];
  });
}

/** The parts of a service share files, and what is wrong with a file is said once. */
function eachOnce(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(one => [JSON.stringify(one), one])).values()];
}
