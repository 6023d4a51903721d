import type { Finding } from '../../api/finding.ts';
import { managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import type { RevisionSpec } from '../../api/service-revision.ts';
import { digestJson } from '../../base/digest.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import type { PackageSource } from '../../package/source.ts';
import { resolveRecord } from '../../record/resolve-record.ts';
import { revisionName } from '../flow/record-revision.ts';
import { renderParts } from '../flow/render-parts.ts';
import { recordType, revisionType } from '../our-objects.ts';
import type { Bundle } from '../store/bundle.ts';
import { keepManifests } from '../store/manifest-store.ts';
import { pushPackages } from '../store/push-packages.ts';
import { type AdoptedService, adoptedSource } from './adopted-service.ts';
import { foundObjects } from './found-objects.ts';

/** What adopting needs beside the cluster. */
export interface AdoptPorts {
  readonly cluster: Cluster;
  /** Packages as the cluster keeps them, with somebody who renders charts. */
  readonly packages: PackageSource;
  /** Whose word it is. */
  readonly by: string;
}

/**
 * Writes a record that asks for what runs, and a first revision for each service that says so: the operator finds nothing to do, and the next
 * change begins from there. Nothing that runs is touched. The record comes last, so that a run which was cut off is simply repeated.
 */
export async function adoptCloud(
  record: ClusterObject,
  services: readonly AdoptedService[],
  { cluster, packages, by }: AdoptPorts,
): Promise<{ readonly findings: readonly Finding[] }> {
  const { name, namespace = '' } = record.metadata;
  const resolved = resolveRecord([
    { file: `${record.kind}/${name}`, index: 0, object: record as never, locate: () => undefined },
  ]);
  if (!resolved.record) return { findings: resolved.findings };
  for (const service of services) if (service.values) await putOnce(cluster, service.values);
  await pushPackages(
    cluster,
    namespace,
    services.map(({ name: service, version, files, digest }) => ({
      source: adoptedSource(service, version),
      ...{ files, digest },
    })),
  );
  for (const one of services) {
    const wished = resolved.record.services.find(service => service.name === one.name);
    if (!wished) continue;
    const world = { cluster, reader: cluster, packages: () => packages };
    const rendered = await renderParts(world, resolved.record, wished);
    if ('findings' in rendered) return rendered;
    await recordFound(one, rendered.bundles, { cluster, deployment: name ?? '', namespace, by });
  }
  await cluster.patch(
    { ...recordType, name: name ?? '', namespace },
    { type: 'apply', value: record, fieldManager: 'afloat-cli', force: true },
  );
  return { findings: [] };
}

async function recordFound(
  { name: service, version, release }: AdoptedService,
  bundles: readonly Bundle[],
  to: {
    readonly cluster: Cluster;
    readonly deployment: string;
    readonly namespace: string;
    readonly by: string;
  },
): Promise<void> {
  const { cluster, deployment, namespace, by } = to;
  const parts: RevisionSpec['parts'][number][] = [];
  for (const [index, bundle] of bundles.entries()) {
    const { component, hostGroup, version: own, packageDigest, inventory } = bundle;
    // All that was found goes with the first part, as everything does that belongs to a package as a whole.
    const found = index === 0 ? foundObjects(release, { service, component }) : [];
    const whose = {
      flow: `adopt-${service}`,
      name: `adopt-${service}-${digestJson([component, hostGroup ?? '']).slice(7, 15)}`,
    };
    const manifests = await keepManifests(cluster, namespace, whose, { ...bundle, found });
    parts.push({
      ...{ component, ...(hostGroup === undefined ? {} : { hostGroup }), version: own, packageDigest },
      ...{ inventory: [...inventory], slices: [], manifests: [...manifests] },
    });
  }
  const digests = bundles.flatMap(({ secretDigests }) => secretDigests);
  const spec: RevisionSpec = {
    ...{ deployment, service, number: 1, version, flow: 'adopt', parts, by },
    secretDigests: [...new Map(digests.map(one => [`${one.kind}/${one.name}`, one])).values()],
    ...{ schemas: [], backups: [], phaseTimes: [] },
  };
  await putOnce(cluster, {
    ...revisionType,
    metadata: {
      name: revisionName({ namespace, deployment, service, number: 1 }),
      namespace,
      labels: { [managedByLabel]: managedBy, [serviceLabel]: service },
    },
    spec,
  } as unknown as ClusterObject);
}

/** What an earlier run wrote stands. */
async function putOnce(cluster: Cluster, object: ClusterObject): Promise<void> {
  if (await findObject(cluster, refOf(object))) return;
  try {
    await cluster.create(object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
