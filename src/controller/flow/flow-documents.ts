import { type Finding, finding } from '../../api/finding.ts';
import { renderFlow } from '../../package/chart/render-chart.ts';
import { identityOf, isClusterKind } from '../../package/object-kinds.ts';
import { chartWishOf } from '../../package/part-contexts.ts';
import { readManifestFile } from '../../package/read-manifest-file.ts';
import { readPackage } from '../../package/read-package.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject } from '../our-objects.ts';
import type { PhaseDocument } from '../phase/own-objects.ts';
import { documentsOfFile } from '../phase/phase-documents.ts';
import { handMadeRecord, packageAt } from './hand-made-record.ts';

/** What a flow that somebody brought along is made of, or everything that is wrong with where it comes from. */
export interface FlowDocuments {
  readonly documents: readonly PhaseDocument[];
  readonly findings: readonly Finding[];
}

/** Whether a flow is brought along, by a chart or by a file, and not the built-in one of its kind. */
export function isBrought({ spec }: FlowObject): boolean {
  const { type, location } = spec.source;
  return type === 'tar' || (type !== 'generate' && isFile(location));
}

function isFile(location: string): boolean {
  return /\.(ya?ml|json)$/.test(location);
}

/**
 * Reads a flow that somebody brought along: what its chart renders when it is told the flow (`oslc.flow_kind` and `serviceName`), under the
 * name of the Oslc, or what its file holds. All of it must be for the namespace of the flow, so that it can go with it.
 */
export async function flowDocuments(world: EngineWorld, object: FlowObject): Promise<FlowDocuments> {
  const { location } = object.spec.source;
  const { namespace = '' } = object.metadata;
  const read = isFile(location) ? await ofFile(world, object) : await ofChart(world, object);
  const away = read.documents.flatMap(document => strangerIn(namespace, document));
  const empty =
    read.documents.length === 0 && read.findings.length === 0
      ? [
          finding(
            'PackageInvalid',
            `${location} brings nothing for the flow ${object.spec.flowKind}`,
            { file: location },
            'Correct `flowKind`, or write `source.type: generate` for the built-in flows.',
          ),
        ]
      : [];
  return { documents: read.documents, findings: [...read.findings, ...away, ...empty] };
}

async function ofFile(world: EngineWorld, { metadata, spec }: FlowObject): Promise<FlowDocuments> {
  const { location } = spec.source;
  const file = await readManifestFile(world.packages(metadata.namespace ?? ''), location);
  return file.ok ? documentsOfFile(location, file.files) : { documents: [], findings: file.findings };
}

async function ofChart(world: EngineWorld, object: FlowObject): Promise<FlowDocuments> {
  const { serviceName, flowKind, source } = object.spec;
  const { name, namespace = '' } = object.metadata;
  const packages = world.packages(namespace);
  const bytes = await packages.read(packageAt(source.location));
  if (!bytes.ok) return { documents: [], findings: bytes.findings };
  const { package: pkg, findings } = readPackage(bytes.files, source.location, { service: serviceName });
  if (!pkg) return { documents: [], findings };
  const { record, findings: wrong } = handMadeRecord(object, pkg.lifecycle.version);
  const service = record?.services[0];
  if (!record || !service) return { documents: [], findings: wrong };
  const wish = { ...chartWishOf(record, service, pkg), release: name, standIns: [], use: 'real' } as const;
  const rendered = await renderFlow(pkg, wish, { flowKind, serviceName }, packages.charts);
  return {
    documents: rendered.objects.map(one => ({ object: one.object, file: one.file, onlyIfMissing: false })),
    findings: rendered.findings,
  };
}

function strangerIn(home: string, { object, file }: PhaseDocument): Finding[] {
  const { kind, name, namespace } = identityOf(object);
  if (!isClusterKind(kind) && (namespace === '' || namespace === home)) return [];
  const message = `${kind} ${name} is not for the namespace ${home}, and a flow brings nothing else`;
  return [finding('ManifestInvalid', message, { file }, 'Make it apart from the flow.')];
}
