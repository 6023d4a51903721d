import { posix } from 'node:path';
import { type Finding, finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { openstackDeployment } from '../../api/openstack-deployment.ts';
import { oslc } from '../../api/oslc.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { isObject } from '../../base/json.ts';
import { sourceKey } from '../../controller/store/package-index.ts';
import type { PushedPackage } from '../../controller/store/push-packages.ts';
import { packageDigest } from '../../package/package-digest.ts';
import { openSource } from '../../package/source/open-source.ts';
import type { Manifest } from '../../record/parse-yaml.ts';
import { placeOf } from '../../record/place-of.ts';
import { folderOf } from '../decide.ts';
import type { NamespaceWish } from '../in-namespace.ts';

/** What hand-written flows and phases are made of. */
export interface ReadByHand {
  readonly namespace: string;
  readonly packages: readonly PushedPackage[];
  readonly findings: readonly Finding[];
}

/**
 * The packages that hand-written flows and phases name: of a flow its package, of a phase the folder in which its file lies. Undefined where
 * there are none, or where there is a record, which says it all. Locations are taken from the folder of each manifest.
 */
export async function readByHand(
  manifests: readonly Manifest[],
  folder: string,
  { named, usual = 'default' }: NamespaceWish,
): Promise<ReadByHand | undefined> {
  const kindsOf = manifests.map(({ object }) => String(object['kind']));
  if (kindsOf.includes(openstackDeployment.kind)) return undefined;
  const byHand = manifests.filter((_, index) => isByHand(kindsOf[index] ?? ''));
  if (byHand.length === 0) return undefined;
  const packages = new Map<string, PushedPackage>();
  const findings: Finding[] = [];
  const namespaces = new Set(byHand.map(one => namespaceOf(one) ?? named ?? usual));
  const [namespace = usual] = namespaces;
  if (namespaces.size > 1 || (named !== undefined && namespace !== named)) {
    const message = `the manifests are for the namespaces ${[...namespaces].join(', ')}`;
    findings.push(finding('UsageInvalid', message, {}, 'Push them one namespace at a time.'));
  }
  for (const manifest of byHand) {
    const source = sourceOf(manifest);
    if (!source || packages.has(sourceKey(source))) continue;
    const read = await openSource(folderOf(manifest.file, folder)).read(source);
    if (read.ok)
      packages.set(sourceKey(source), { source, files: read.files, digest: packageDigest(read.files) });
    else {
      const place = placeOf(manifest, ['spec', 'source', 'location']);
      findings.push(...read.findings.map(one => ({ ...place, ...one })));
    }
  }
  return { namespace, packages: [...packages.values()], findings };
}

function isByHand(kind: string): boolean {
  return kind === oslc.kind || phaseKinds.some(one => one.kind === kind);
}

function namespaceOf({ object }: Manifest): string | undefined {
  const { metadata } = object;
  const namespace = isObject(metadata) ? metadata['namespace'] : undefined;
  return typeof namespace === 'string' ? namespace : undefined;
}

/** Charts are not read, and what stands for a plan needs nothing. */
function sourceOf({ object }: Manifest): Source | undefined {
  const { spec, kind } = object;
  const source = isObject(spec) && isObject(spec['source']) ? spec['source'] : {};
  const { type, location } = source;
  if (typeof location !== 'string' || location === '' || type === 'tar' || type === 'plan') return undefined;
  const isFile = kind !== oslc.kind && /\.(ya?ml|json)$/.test(location);
  return { type: 'local', location: isFile ? posix.dirname(location) : location };
}
