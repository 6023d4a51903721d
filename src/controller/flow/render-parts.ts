import type { Finding } from '../../api/finding.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { neededPackages } from '../../package/gather-targets.ts';
import { makeInventory } from '../../package/inventory.ts';
import { identityKey, referenceOf } from '../../package/object-kinds.ts';
import { contextOf, wishedParts } from '../../package/part-contexts.ts';
import { packageKey, readPackages } from '../../package/read-packages.ts';
import { renderPart } from '../../package/render.ts';
import { renderCharts } from '../../package/render-charts.ts';
import { taskReferences } from '../../package/task-references.ts';
import { routesOf } from '../../package/unrouted.ts';
import { sliceMark } from '../../phase/object/slices.ts';
import { partName } from '../../plan/wish.ts';
import type { ResolvedRecord, ResolvedService } from '../../record/record.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { Bundle } from '../store/bundle.ts';
import { keyedDigest } from '../store/digest-key.ts';
import { generatedValues } from '../store/generated-values.ts';
import { layGenerated } from '../store/lay-generated.ts';
import { resolveValuesFrom } from '../store/values-from.ts';
import { fillChart, notShown } from './fill-chart.ts';

/** What rendering for real needs: our own store, and who may read the secrets of a record. */
export interface RenderWorld extends Pick<EngineWorld, 'cluster' | 'packages'> {
  readonly reader: Cluster;
}

/**
 * Renders parts of a service for real, with its secrets: those that are named, or all. Findings where that cannot be done; nothing was written
 * then but values that the package invents.
 */
export async function renderParts(
  world: RenderWorld,
  record: ResolvedRecord,
  service: ResolvedService,
  names?: ReadonlySet<string>,
): Promise<{ readonly bundles: readonly Bundle[] } | { readonly findings: readonly Finding[] }> {
  const { namespace } = record;
  const source = world.packages(namespace);
  const written = await readPackages(neededPackages(record, service), source);
  const read = await renderCharts(record, written, source.charts);
  if (read.findings.length > 0) return { findings: read.findings };
  const pkg = read.packages.get(packageKey(service.name, service.version));
  if (!pkg) return { findings: [] };
  const digestOf = await keyedDigest(world.cluster, namespace);
  const bundles: Bundle[] = [];
  for (const [index, part] of wishedParts(service, pkg.lifecycle).entries()) {
    if (names && !names.has(partName(service.name, part))) continue;
    const own = read.packages.get(packageKey(service.name, part.version)) ?? pkg;
    const planned = contextOf(record, service, own);
    const generated = await generatedValues(world.cluster, namespace, service.name, own.lifecycle.generated);
    const chart = written.packages.get(packageKey(service.name, part.version)) ?? own;
    // Helm itself lays values over those of a chart.
    const base = layGenerated(chart.chart ? service.values : planned.values, generated);
    const from = await resolveValuesFrom(service, { cluster: world.reader, namespace, digestOf, base });
    if (from.findings.length > 0) return { findings: from.findings };
    const { component, hostGroup, version } = part;
    const group = hostGroup === undefined ? {} : { hostGroup };
    const where = { component, ...group, first: index === 0 };
    const real = { ...planned, values: from.values, later: [], moreValuesLater: false, slice: sliceMark };
    const filled = await fillChart(chart, own, {
      record,
      service,
      values: from.values,
      charts: source.charts,
    });
    if ('findings' in filled) return filled;
    const result = renderPart(filled, { ...real, ...where });
    // The inventory is that of planning, where neither slices nor secrets go in: it is what the next plan compares.
    const shown = renderPart(own, { ...planned, ...where });
    const findings = [...result.findings, ...notShown(filled, result, shown)];
    if (findings.length > 0) return { findings };
    // Tasks of the package as a whole go with its first part; any part may be the one that moves the databases.
    const whole = where.first ? [] : renderPart(filled, { ...real, ...where, first: true }).objects;
    const ofData = taskReferences(own.lifecycle).filter(
      ({ path }) => path[0] === 'data' || path[0] === 'reconcile',
    );
    const tasks = whole.filter(({ object }) =>
      ofData.some(({ reference }) => reference === referenceOf(object)),
    );
    const seen = new Set(result.objects.map(({ file, object }) => `${file} ${identityKey(object)}`));
    const added = tasks.filter(({ file, object }) => !seen.has(`${file} ${identityKey(object)}`));
    bundles.push({
      ...{
        service: service.name,
        version,
        component,
        ...group,
        packageDigest: own.digest,
        lifecycle: own.lifecycle,
      },
      objects: [...result.objects, ...added].map(({ object, role, phases, file, moment }) => ({
        ...{ object, role, phases, file },
        ...(moment === undefined ? {} : { moment }),
      })),
      images: result.images,
      inventory: makeInventory(shown.objects, namespace, routesOf(own.lifecycle, component)),
      secretDigests: from.digests,
    });
  }
  return { bundles };
}
