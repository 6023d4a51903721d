import { type Finding, finding, formatPath } from '../api/finding.ts';
import { group } from '../api/group.ts';
import type { LifecycleImage } from '../api/package-lifecycle.ts';
import type { PhaseName } from '../api/phase-names.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { compareForInstall, identityKey, identityOf, isClusterKind } from './object-kinds.ts';
import type { PackageManifest, RenderedObject, ServicePackage } from './package.ts';
import { type Placement, placeObjects } from './place-objects.ts';
import { type SubstitutionContext, substitute } from './substitute.ts';

/** For which part of which cloud a package is rendered, and with which values. */
export interface RenderContext
  extends Pick<SubstitutionContext, 'values' | 'shared' | 'later' | 'moreValuesLater'> {
  readonly cloud: string;
  readonly namespace: string;
  /** The component; the name of the service where the package has none. */
  readonly component: string;
  readonly hostGroup?: string;
  /** Whether this is the first part of the service, which what belongs to the package as a whole goes with. */
  readonly first: boolean;
  /** The colour or slice; while there is none, `${slice}` stays as it is, so that no colour enters a digest. */
  readonly slice?: string;
}

/** What a package gives for one part, in the order it is installed. Where there are findings it must not be used. */
export interface Rendered {
  readonly objects: readonly RenderedObject[];
  /** What its images are on a machine without a container engine; `${package}` is left for who unpacks the package. */
  readonly images: readonly LifecycleImage[];
  readonly findings: readonly Finding[];
}

/** What `${hostGroup}` stands for where the record has no host groups. */
const onlyHostGroup = 'default';

/** As many objects as a revision can list for one part. */
const maxObjects = 1024;

/** Every object of one part of a service, of all phases. */
export function renderPart(pkg: ServicePackage, context: RenderContext): Rendered {
  const rendered = placeObjects(pkg.lifecycle, pkg.manifests)
    .filter(({ component }) => (component === undefined ? context.first : component === context.component))
    .map(placement => renderObject(pkg, placement, context));
  const objects = rendered
    .map(({ object }) => object)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || compareForInstall(a.object, b.object));
  const findings = rendered.flatMap(one => one.findings);
  if (objects.length > maxObjects) {
    const message = `package ${pkg.location} has ${objects.length} objects for ${context.component}, but the most is ${maxObjects}`;
    findings.push(finding('PackageTooLarge', message));
  }
  const images = renderImages(pkg, context);
  return {
    objects,
    images: images.images,
    findings: [...findings, ...images.findings, ...duplicateFindings(pkg, objects)],
  };
}

/** The objects of one phase of one part: what it runs and applies, and the support set. */
export function renderPhase(pkg: ServicePackage, context: RenderContext, phase: PhaseName): Rendered {
  const { objects, ...rest } = renderPart(pkg, context);
  return { objects: objects.filter(({ phases }) => phases.includes(phase)), ...rest };
}

function renderObject(
  pkg: ServicePackage,
  { manifest, role, phases, because, order, moment }: Placement,
  context: RenderContext,
): { object: RenderedObject; findings: Finding[] } {
  const { object, problems } = substitute(manifest.object, substitutionOf(pkg, context));
  const findings = problems.map(({ code, path, message, advice }) => {
    const place = { ...manifest.locate(path), field: formatPath(path) };
    return finding(code, message, { file: fileOf(pkg, manifest), ...place }, advice);
  });
  if (findings.length === 0) findings.push(...nameFindings(pkg, manifest, object));
  const labelled = withMetadata(object, {
    namespace: context.namespace,
    labels: {
      'app.kubernetes.io/managed-by': 'afloat',
      [`${group}/service`]: pkg.lifecycle.service,
      [`${group}/component`]: context.component,
    },
  });
  const said = { ...(order === undefined ? {} : { order }), ...(moment === undefined ? {} : { moment }) };
  return { object: { object: labelled, role, phases, because, file: manifest.file, ...said }, findings };
}

function renderImages(
  pkg: ServicePackage,
  context: RenderContext,
): { images: readonly LifecycleImage[]; findings: Finding[] } {
  const { later, ...rest } = substitutionOf(pkg, context);
  const written = { images: pkg.lifecycle.images };
  const { object, problems } = substitute(written, { ...rest, later: [...later, 'package'] });
  const findings = problems.map(({ code, path, message, advice }) =>
    finding(code, message, { file: `${pkg.location}/lifecycle.yaml`, field: formatPath(path) }, advice),
  );
  return { images: (object as typeof written).images, findings };
}

function substitutionOf(pkg: ServicePackage, context: RenderContext): SubstitutionContext {
  const { values, shared, later, moreValuesLater, slice } = context;
  const { service, version } = pkg.lifecycle;
  const names = {
    ...{ service, version, component: context.component, hostGroup: context.hostGroup ?? onlyHostGroup },
    ...{ cloud: context.cloud, namespace: context.namespace },
    ...(slice === undefined ? {} : { slice }),
  };
  return { names, values, shared, later: slice === undefined ? [...later, 'slice'] : later, moreValuesLater };
}

/** Adds our labels, over those of the package, and the namespace where the kind has one and the package gives none. */
function withMetadata(
  object: JsonObject,
  more: { namespace: string; labels: Readonly<Record<string, string>> },
): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  const { kind, namespace } = identityOf(object);
  const placed = isClusterKind(kind) || namespace !== '' ? {} : { namespace: more.namespace };
  return { ...object, metadata: { ...metadata, ...placed, labels: { ...labels, ...more.labels } } };
}

/** A name that values made must still be one that an API server takes. */
function nameFindings(pkg: ServicePackage, manifest: PackageManifest, object: JsonObject): Finding[] {
  const { apiVersion, kind, name } = identityOf(object);
  // What stays open is filled in later; only what the package itself left open, not what a value brought along.
  const open = identityOf(manifest.object).name.match(/\$\{[^}]*\}/g) ?? [];
  const known = open.reduce((text, placeholder) => text.replaceAll(placeholder, 'x'), name);
  const isRbac = apiVersion.startsWith('rbac.authorization.k8s.io/');
  const pattern = isRbac
    ? /^(?!\.{1,2}$)[^/%]+$/
    : /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
  if (known.length <= 253 && pattern.test(known)) return [];
  const path = ['metadata', 'name'];
  const place = { file: fileOf(pkg, manifest), ...manifest.locate(path), field: formatPath(path) };
  const advice = 'Use lower-case letters, digits, `-` and `.`, beginning and ending with a letter or digit.';
  return [finding('ManifestInvalid', `${JSON.stringify(name)} is no name of a ${kind}`, place, advice)];
}

/** Two objects that are one to the cluster would overwrite each other; in different phases that may be meant. */
function duplicateFindings(pkg: ServicePackage, objects: readonly RenderedObject[]): Finding[] {
  const seen = new Map<string, RenderedObject>();
  return objects.flatMap(one =>
    one.phases.flatMap(phase => {
      const key = `${phase} ${identityKey(one.object)}`;
      const other = seen.get(key);
      if (other === undefined) seen.set(key, one);
      if (other === undefined || one.phases.find(early => other.phases.includes(early)) !== phase) return [];
      const { kind, name } = identityOf(one.object);
      const message = `${kind} ${name} is there twice in phase ${phase}: in ${other.file} and in ${one.file}`;
      return [finding('PackageInvalid', message, { file: `${pkg.location}/${one.file}` })];
    }),
  );
}

function fileOf(pkg: ServicePackage, manifest: PackageManifest): string {
  return `${pkg.location}/${manifest.file}`;
}
