import type { Finding } from '../../api/finding.ts';
import type { SecretDigest } from '../../api/service-revision.ts';
import { digestJson } from '../../base/digest.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { neededPackages } from '../../package/gather-targets.ts';
import { makeInventory } from '../../package/inventory.ts';
import { identityKey, referenceOf } from '../../package/object-kinds.ts';
import { contextOf, wishedParts } from '../../package/part-contexts.ts';
import { packageKey, readPackages } from '../../package/read-packages.ts';
import { renderPart } from '../../package/render.ts';
import { taskReferences } from '../../package/task-references.ts';
import { sliceMark } from '../../phase/object/slices.ts';
import { partName } from '../../plan/wish.ts';
import type { ResolvedRecord, ResolvedService } from '../../record/record.ts';
import type { Resolution } from '../../record/resolve-record.ts';
import type { EngineWorld } from '../engine-world.ts';
import { isHandMade } from '../hand-made.ts';
import { one, type RecordObject } from '../our-objects.ts';
import { partsCovered } from '../parts-covered.ts';
import { recordFromObject } from '../record/record-from-object.ts';
import { asAccount } from '../runtime/as-account.ts';
import type { Bundle } from '../store/bundle.ts';
import { keyedDigest } from '../store/digest-key.ts';
import { generatedValues } from '../store/generated-values.ts';
import { keepManifests } from '../store/manifest-store.ts';
import { layGenerated } from '../store/set-value.ts';
import { resolveValuesFrom } from '../store/values-from.ts';
import type { FlowScope } from './flow-scope.ts';
import { handMadeRecord } from './hand-made-record.ts';

/** What a flow shall bring, kept so that every move of it, and every return to it, writes the same bytes. */
export interface RenderedTarget {
  /** Secrets that hold it. */
  readonly manifests: readonly string[];
  readonly secretDigests: readonly SecretDigest[];
  readonly bundles: readonly Bundle[];
}

/** Renders the target of a flow for real, with its secrets, and keeps it. Findings where that cannot be done; nothing was touched then. */
export async function renderTarget(
  scope: FlowScope,
): Promise<RenderedTarget | { readonly findings: readonly Finding[] }> {
  const { world, namespace, planned, object } = scope;
  const resolved = recordOf(scope);
  const { record } = resolved;
  const service = record?.services.find(({ name }) => name === planned.step.service);
  if (!record || !service) return { findings: resolved.findings };
  const reader = asAccount(world.cluster, namespace, planned.serviceAccountName);
  const rendered = await renderParts({ ...world, reader }, record, service, partsCovered(planned.step));
  if ('findings' in rendered) return rendered;
  const manifests: string[] = [];
  for (const bundle of rendered.bundles) {
    const part = partName(bundle.service, bundle);
    const name = `${object.metadata.name.slice(0, 200)}-${digestJson(part).slice(7, 15)}`;
    manifests.push(
      ...(await keepManifests(world.cluster, namespace, { flow: object.metadata.name, name }, bundle)),
    );
  }
  // What an earlier pass kept stands, also where a Secret has changed since: what is told of it is told of that.
  const bundles = await world.manifests.of(namespace, manifests);
  const digests = bundles.flatMap(bundle => bundle.secretDigests);
  const secretDigests = [...new Map(digests.map(one => [`${one.kind}/${one.name}`, one])).values()];
  return { manifests, bundles, secretDigests };
}

/** What says what the service shall be: the record, or the flow itself where a person wrote it. */
function recordOf({ world, namespace, planned, object }: FlowScope): Resolution {
  if (isHandMade(object)) return handMadeRecord(object, planned.step.to?.version);
  const stored = one<RecordObject>(world.records, namespace, planned.deployment);
  return stored ? recordFromObject(stored) : { findings: [] };
}

async function renderParts(
  world: EngineWorld & { readonly reader: Cluster },
  record: ResolvedRecord,
  service: ResolvedService,
  names: ReadonlySet<string>,
): Promise<Pick<RenderedTarget, 'bundles'> | { readonly findings: readonly Finding[] }> {
  const { namespace } = record;
  const read = await readPackages(neededPackages(record, service), world.packages(namespace));
  if (read.findings.length > 0) return { findings: read.findings };
  const pkg = read.packages.get(packageKey(service.name, service.version));
  if (!pkg) return { findings: [] };
  const digestOf = await keyedDigest(world.cluster, namespace);
  const bundles: Bundle[] = [];
  for (const [index, part] of wishedParts(service, pkg.lifecycle).entries()) {
    if (!names.has(partName(service.name, part))) continue;
    const own = read.packages.get(packageKey(service.name, part.version)) ?? pkg;
    const planned = contextOf(record, service, own);
    const generated = await generatedValues(world.cluster, namespace, service.name, own.lifecycle.generated);
    const base = layGenerated(planned.values, generated);
    const from = await resolveValuesFrom(service, { cluster: world.reader, namespace, digestOf, base });
    if (from.findings.length > 0) return { findings: from.findings };
    const { component, hostGroup, version } = part;
    const group = hostGroup === undefined ? {} : { hostGroup };
    const where = { component, ...group, first: index === 0 };
    const real = { ...planned, values: from.values, later: [], moreValuesLater: false, slice: sliceMark };
    const result = renderPart(own, { ...real, ...where });
    // The inventory is that of planning, where neither slices nor secrets go in: it is what the next plan compares.
    const shown = renderPart(own, { ...planned, ...where });
    if (result.findings.length > 0) return { findings: result.findings };
    // Tasks of the package as a whole go with its first part; any part may be the one that moves the databases.
    const whole = where.first ? [] : renderPart(own, { ...real, ...where, first: true }).objects;
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
      objects: [...result.objects, ...added].map(({ object, role, phases, file }) => ({
        object,
        role,
        phases,
        file,
      })),
      images: result.images,
      inventory: makeInventory(shown.objects, namespace),
      secretDigests: from.digests,
    });
  }
  return { bundles };
}
