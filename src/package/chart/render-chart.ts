import { type Finding, finding, findingOf } from '../../api/finding.ts';
import { type PackageLifecycle, packageLifecycle } from '../../api/package-lifecycle.ts';
import { type PhaseName, phaseNames } from '../../api/phase-names.ts';
import { validate } from '../../api/schema/validate.ts';
import { compareText, type JsonObject } from '../../base/json.ts';
import { checkLifecycle } from '../check-lifecycle.ts';
import { identityOf, isClusterKind } from '../object-kinds.ts';
import type { PackageManifest, PackageNote, ServicePackage } from '../package.ts';
import { type Chart, isTemplate } from './chart.ts';
import type { ChartObject } from './chart-object.ts';
import type { ChartRender, ChartRenderer, ChartRequest } from './chart-renderer.ts';
import { type ChartWish, chartValues, flowValues } from './chart-values.ts';
import { helmMissing } from './helm-finding.ts';
import { lifecycleByRule } from './lifecycle-by-rule.ts';
import { placeByRule } from './place-by-rule.ts';
import { placeByStage } from './place-by-stage.ts';
import type { PlacedChart } from './placed-object.ts';
import { findLookups } from './read-chart.ts';
import { type SlicedChart, type SlicedObject, sliceByRule } from './slice-by-rule.ts';

/** A chart that was made a package, with what was decided on the way; or everything that is wrong with it. */
export interface RenderedChart {
  readonly package?: ServicePackage;
  /** Each object with its place and its slice rule, and what has no place. */
  readonly decided?: { readonly sliced: SlicedChart; readonly unplaced: PlacedChart['unplaced'] };
  readonly findings: readonly Finding[];
}

/**
 * Makes an ordinary package of one that is a chart: rendered for this wish, every object put into its phases, in order, and with slices. A
 * package that is no chart is given back as it is. From then on nothing knows that it was a chart.
 */
export async function renderChart(
  pkg: ServicePackage,
  wish: ChartWish,
  renderer: ChartRenderer | undefined,
): Promise<RenderedChart> {
  const { chart, location } = pkg;
  if (!chart) return { package: pkg, findings: [] };
  if (!renderer) return { findings: [helmMissing(location)] };
  const rendered = chart.asksForStage
    ? await renderStages(pkg, chart, wish, renderer)
    : await renderWhole(pkg, chart, wish, renderer);
  if (rendered.findings.length > 0 || !rendered.placed) return { findings: rendered.findings };
  return makePackage(pkg, chart, rendered.placed, rendered.notes);
}

/**
 * What a chart that was written for phases gives for one of them, as it is: neither put into phases nor into slices. Nothing for a package that
 * is no such chart.
 */
export async function renderStage(
  pkg: ServicePackage,
  wish: ChartWish,
  stage: PhaseName,
  renderer: ChartRenderer | undefined,
): Promise<Omit<ChartRender, 'notes'> | undefined> {
  const { chart, location } = pkg;
  if (!chart?.asksForStage) return undefined;
  if (!renderer) return { objects: [], findings: [helmMissing(location)] };
  const { objects, findings } = await renderer.render(requestOf(pkg, chart, wish, stage));
  return { objects, findings: [...findings, ...strangers(objects, pkg, wish)] };
}

/** What a chart gives when it is told a flow of a service, as it is. A package that is no chart brings no flow. */
export async function renderFlow(
  pkg: ServicePackage,
  wish: ChartWish,
  flow: { readonly flowKind: string; readonly serviceName: string },
  renderer: ChartRenderer | undefined,
): Promise<Omit<ChartRender, 'notes'>> {
  const { chart, location } = pkg;
  if (!chart) {
    const advice = 'Write `source.type: generate`: its flows are the built-in ones.';
    return {
      objects: [],
      findings: [finding('PackageInvalid', `${location} is no chart`, { file: location }, advice)],
    };
  }
  if (!renderer) return { objects: [], findings: [helmMissing(location)] };
  const request = requestOf(pkg, chart, wish);
  const values = flowValues(request.values, flow);
  const { objects, findings } = await renderer.render({ ...request, values });
  return { objects, findings: [...findings, ...strangers(objects, pkg, wish)] };
}

interface Rendered extends Omit<ChartRender, 'objects'> {
  readonly placed?: PlacedChart;
}

async function renderWhole(
  pkg: ServicePackage,
  chart: Chart,
  wish: ChartWish,
  renderer: ChartRenderer,
): Promise<Rendered> {
  const render = await renderer.render(requestOf(pkg, chart, wish));
  const findings = [...render.findings, ...strangers(render.objects, pkg, wish)];
  if (findings.length > 0) return { notes: render.notes, findings };
  return { placed: placeByRule(render.objects, chart.written?.lifecycle), notes: render.notes, findings };
}

async function renderStages(
  pkg: ServicePackage,
  chart: Chart,
  wish: ChartWish,
  renderer: ChartRenderer,
): Promise<Rendered> {
  const renders = await Promise.all(
    phaseNames.map(phase => renderer.render(requestOf(pkg, chart, wish, phase))),
  );
  const stages = new Map(phaseNames.map((phase, index) => [phase, renders[index]?.objects ?? []]));
  const objects = renders.flatMap(render => render.objects);
  const findings = [...renders.flatMap(render => render.findings), ...strangers(objects, pkg, wish)];
  const notes = eachOnce(renders.flatMap(render => render.notes));
  return findings.length > 0
    ? { notes, findings: eachOnce(findings) }
    : { placed: placeByStage(stages), notes, findings };
}

function requestOf(pkg: ServicePackage, chart: Chart, wish: ChartWish, stage?: PhaseName): ChartRequest {
  return {
    ...{ files: chart.files, digest: pkg.digest, location: pkg.location },
    ...{ release: wish.release ?? pkg.lifecycle.service, namespace: wish.namespace, use: wish.use },
    values: chartValues(wish, stage),
    hasStandIns: wish.standIns.length > 0,
  };
}

/** Objects for a namespace that is not the cloud's: who asks for a service there does not ask for that. */
function strangers(objects: readonly ChartObject[], pkg: ServicePackage, wish: ChartWish): Finding[] {
  return objects.flatMap(({ object, file }) => {
    const { kind, name, namespace } = identityOf(object);
    // helm-toolkit lets pods look at what they wait for, where that is.
    const isAllowed = isClusterKind(kind) || kind === 'Role' || kind === 'RoleBinding';
    if (isAllowed || namespace === '' || namespace === wish.namespace) return [];
    const message = `${kind} ${name} is for the namespace ${namespace}, and the service is in ${wish.namespace}`;
    const place = { file: `${pkg.location}/${file}`, field: 'metadata.namespace' };
    return [
      finding(
        'ManifestInvalid',
        message,
        place,
        'Set the value that it comes from, or switch the template off.',
      ),
    ];
  });
}

function makePackage(
  pkg: ServicePackage,
  chart: Chart,
  placed: PlacedChart,
  told: readonly Finding[],
): RenderedChart {
  const { chart: _, ...plain } = pkg;
  const sliced = sliceByRule(placed.placed);
  const manifests = sliced.objects.map(manifestOf);
  const { lifecycle, notes: ruled, findings } = lifecycleOf(pkg, chart, { placed, sliced, manifests });
  if (findings.length > 0) return { findings };
  const notes = [
    ...[...told, ...findLookups(chart.files, pkg.location)].map(noteOf),
    ...placed.unplaced.map(({ chartObject, because }) => unplaced(chartObject, because, pkg.location)),
    ...[...ruled, ...sliced.notes].map(message => ({ message })),
  ];
  return {
    package: { ...plain, lifecycle, manifests, notes },
    decided: { sliced, unplaced: placed.unplaced },
    findings,
  };
}

/** What the chart says itself, checked against what it rendered to; else what its objects tell. */
function lifecycleOf(
  pkg: ServicePackage,
  { written, files, description, annotations }: Chart,
  {
    placed,
    sliced,
    manifests,
  }: { placed: PlacedChart; sliced: SlicedChart; manifests: readonly PackageManifest[] },
): { lifecycle: PackageLifecycle; notes: readonly string[]; findings: readonly Finding[] } {
  if (written) {
    const { lifecycle, manifest: place } = written;
    const paths = [...files.map(({ path }) => path).filter(isTemplate), ...manifests.map(({ file }) => file)];
    const findings = checkLifecycle({
      lifecycle,
      place,
      manifests,
      complete: true,
      files: [...new Set(paths)],
    });
    return { lifecycle, notes: [], findings };
  }
  const { service, version } = pkg.lifecycle;
  const about = { ...(description === undefined ? {} : { description }), annotations };
  const { lifecycle, notes } = lifecycleByRule({ service, version, ...about, placed: placed.placed, sliced });
  const place = { file: `${pkg.location}/Chart.yaml` };
  const findings = validate(packageLifecycle.json, lifecycle as unknown as JsonObject).map(problem =>
    findingOf(problem, place),
  );
  return { lifecycle, notes, findings };
}

function noteOf({ message, file, line, field }: Finding): PackageNote {
  return {
    message,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(field === undefined ? {} : { field }),
  };
}

function manifestOf({
  chartObject,
  role,
  phases,
  because,
  order,
  moment,
  component,
}: SlicedObject): PackageManifest {
  const { object, file, line } = chartObject;
  return {
    ...{ file, line, object },
    // Lines are those of a text that nobody has.
    locate: () => undefined,
    placed: {
      ...{ role, phases, because, order },
      ...(moment === undefined ? {} : { moment }),
      ...(component === undefined ? {} : { component }),
    },
  };
}

function unplaced({ object, file }: ChartObject, because: string, location: string): PackageNote {
  const { kind, name } = identityOf(object);
  const message = `${kind} ${name} has no place in the life of the service and is not applied: ${because}`;
  return { message, file: `${location}/${file}` };
}

function eachOnce(findings: readonly Finding[]): Finding[] {
  const unique = new Map(findings.map(one => [JSON.stringify(one), one]));
  return [...unique].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}
