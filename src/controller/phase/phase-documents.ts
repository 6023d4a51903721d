import { type Finding, finding } from '../../api/finding.ts';
import type { PhaseName } from '../../api/phase-names.ts';
import { isObject } from '../../base/json.ts';
import { renderChart, renderStage } from '../../package/chart/render-chart.ts';
import { checkManifest } from '../../package/check-manifest.ts';
import type { ServicePackage } from '../../package/package.ts';
import { chartWishOf, componentNames, contextOf } from '../../package/part-contexts.ts';
import { readManifestFile } from '../../package/read-manifest-file.ts';
import { readPackage } from '../../package/read-package.ts';
import { renderPhase } from '../../package/render.ts';
import type { PackageFiles } from '../../package/source.ts';
import { onlySlice } from '../../phase/object/slices.ts';
import type { PartBundle } from '../../phase/phase-run.ts';
import { type Manifest, parseYaml } from '../../record/parse-yaml.ts';
import type { EngineWorld } from '../engine-world.ts';
import { handMadeRecord, packageAt } from '../flow/hand-made-record.ts';
import { type PhaseObject, phaseOf } from '../our-objects.ts';
import { generatedValues } from '../store/generated-values.ts';
import { layGenerated } from '../store/lay-generated.ts';
import type { PhaseDocument } from './own-objects.ts';

/** What a phase that a person wrote by hand brings, or everything that is wrong with where it comes from. */
export interface PhaseDocuments {
  readonly documents: readonly PhaseDocument[];
  /** Parts whose images must be made known where there is no container engine. */
  readonly parts: readonly PartBundle[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the source of a phase: one YAML file, or where `location` is a package what the package has for this phase; of a chart that was written
 * for phases, what it gives when it is told the phase. `plan` is our own word:
 * the object only stands for where its service is.
 */
export async function phaseDocuments(world: EngineWorld, object: PhaseObject): Promise<PhaseDocuments> {
  const { type, location } = object.spec.source;
  if (type === 'plan') return nothing([]);
  const source = world.packages(object.metadata.namespace ?? '');
  const isFile = /\.(ya?ml|json)$/.test(location);
  if (!isFile) {
    const read = await source.read(packageAt(location));
    if (read.ok) return ofPackage(world, object, read.files);
    if (read.findings.some(({ code }) => code !== 'PackageNotFound' && code !== 'PackageInvalid'))
      return nothing(read.findings);
  }
  const file = await readManifestFile(source, location);
  return file.ok ? { ...documentsOfFile(location, file.files), parts: [] } : nothing(file.findings);
}

function nothing(findings: readonly Finding[]): PhaseDocuments {
  return { documents: [], parts: [], findings };
}

/** The documents of a file that lies at `location`. */
export function documentsOfFile(location: string, files: PackageFiles): Omit<PhaseDocuments, 'parts'> {
  const parsed = files.map(({ bytes }) => parse(location, bytes));
  const manifests = parsed.flatMap(one => one.manifests);
  const findings = [...parsed.flatMap(one => one.findings), ...manifests.flatMap(checkDocument)];
  const documents = manifests.map(one => ({ object: one.object, file: location, onlyIfMissing: false }));
  return { documents, findings };
}

function parse(location: string, bytes: Uint8Array): ReturnType<typeof parseYaml> {
  try {
    return parseYaml(location, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    const notText = finding('FileNotText', 'the file holds bytes that are not UTF-8', { file: location });
    return { manifests: [], findings: [notText] };
  }
}

/** A document needs no name here: it gets one. */
function checkDocument(manifest: Manifest): Finding[] {
  const { metadata } = manifest.object;
  const about = metadata === undefined ? {} : metadata;
  const named = isObject(about) ? { name: 'named-later', ...about } : about;
  return checkManifest({ ...manifest, object: { ...manifest.object, metadata: named } });
}

async function ofPackage(
  world: EngineWorld,
  object: PhaseObject,
  files: PackageFiles,
): Promise<PhaseDocuments> {
  const { openstackServiceName, targetOpenstackServiceVersion: version } = object.spec;
  const asked = { service: openstackServiceName, ...(version ? { version } : {}) };
  const { package: pkg, findings } = readPackage(files, object.spec.source.location, asked);
  if (!pkg) return nothing(findings);
  const { record, findings: wrong } = handMadeRecord(object, pkg.lifecycle.version);
  const service = record?.services[0];
  if (!record || !service) return nothing(wrong);
  if (pkg.lifecycle.service !== service.name) {
    const message = `package ${pkg.location} is ${pkg.lifecycle.service}, not ${service.name}`;
    return nothing([finding('PackageMismatch', message)]);
  }
  const planned = contextOf(record, service, pkg);
  const { namespace } = record;
  const generated = await generatedValues(world.cluster, namespace, service.name, pkg.lifecycle.generated);
  const values = layGenerated(pkg.chart ? service.values : planned.values, generated);
  const real = { ...planned, values, later: [], moreValuesLater: false, slice: onlySlice };
  // Who writes a phase by hand names the release with it.
  const release = object.metadata.name;
  const wish = { ...chartWishOf(record, service, pkg), release, values, standIns: [], use: 'real' } as const;
  const { charts } = world.packages(namespace);
  const stage = await renderStage(pkg, wish, phaseOf(object), charts);
  if (stage)
    return {
      documents: stage.objects.map(one => ({ object: one.object, file: one.file, onlyIfMissing: false })),
      ...{ parts: [], findings: stage.findings },
    };
  const rendered = await renderChart(pkg, wish, charts);
  return rendered.package ? renderAll(rendered.package, real, phaseOf(object)) : nothing(rendered.findings);
}

/** What the package has for one phase, of all its components. */
function renderAll(
  pkg: ServicePackage,
  context: Parameters<typeof withComponent>[1],
  phase: PhaseName,
): PhaseDocuments {
  const { lifecycle, digest } = pkg;
  const all = componentNames(lifecycle).map((component, index) => ({
    component,
    rendered: renderPhase(pkg, withComponent(component, context, index === 0), phase),
  }));
  return {
    findings: all.flatMap(({ rendered }) => rendered.findings),
    documents: all.flatMap(({ rendered }) =>
      rendered.objects.map(({ object, role, file }) => ({
        object,
        file,
        // What several phases need is made by the first.
        onlyIfMissing: role === 'support' || role === 'kept',
      })),
    ),
    parts: all.map(({ component, rendered }) => ({
      ...{ service: lifecycle.service, component, version: lifecycle.version, packageDigest: digest },
      ...{ lifecycle, objects: [], images: rendered.images, inventory: [] },
    })),
  };
}

function withComponent(
  component: string,
  context: Omit<Parameters<typeof renderPhase>[1], 'component' | 'first'>,
  first: boolean,
): Parameters<typeof renderPhase>[1] {
  return { ...context, component, first };
}
