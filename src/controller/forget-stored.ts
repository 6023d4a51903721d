import { managedBy, managedByLabel } from '../api/labels.ts';
import type { Source } from '../api/openstack-deployment.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { neededPackages } from '../package/gather-targets.ts';
import { fillSource } from '../package/read-packages.ts';
import type { Informer } from '../reconcile/informer.ts';
import type { EngineWorld } from './engine-world.ts';
import { isHandMade } from './hand-made.ts';
import type { FlowObject, PhaseObject, RecordObject, RevisionObject } from './our-objects.ts';
import { recordFromObject } from './record/record-from-object.ts';
import { findUnneeded, forgetUnneeded } from './store/forget-unneeded.ts';
import { type PackageIndex, readIndex } from './store/package-index.ts';

/**
 * Takes away the packages and rendered manifests of a namespace that nothing in it needs any more: no revision, no flow that has not
 * ended, no record and nothing that a person wrote by hand. `gone`: what was forgotten just now.
 */
export async function forgetStored(
  world: EngineWorld,
  namespace: string,
  gone: ReadonlySet<StoredObject>,
): Promise<void> {
  const { cluster } = world;
  const labelSelector = `${managedByLabel}=${managedBy}`;
  const { items: secrets } = await cluster.list(
    { apiVersion: 'v1', kind: 'Secret' },
    { namespace, labelSelector },
  );
  const here = <T extends StoredObject>(informer: Informer) =>
    (informer.all() as readonly T[]).filter(one => one.metadata.namespace === namespace && !gone.has(one));
  const index = await readIndex(cluster, namespace);
  const flows = here<FlowObject>(world.flows);
  const unneeded = findUnneeded({
    revisions: here<RevisionObject>(world.revisions).map(({ spec }) => spec),
    flows: flows
      .filter(({ status }) => status?.end === undefined)
      .map(({ metadata, spec, status }) => ({ name: metadata.name, spec, ...(status ? { status } : {}) })),
    wanted: [
      ...here<RecordObject>(world.records).flatMap(wantedByRecord),
      ...flows.filter(flow => isHandMade(flow) && flow.status?.end === undefined).map(sourceOf),
      ...world.phases
        .flatMap(informer => here<PhaseObject>(informer))
        .filter(({ spec }) => spec.move === undefined)
        .flatMap(phase => wantedByPhase(phase, index)),
    ],
    index,
    secrets,
    now: world.clock.wall(),
  });
  await forgetUnneeded(cluster, namespace, unneeded);
}

function wantedByRecord(object: RecordObject): Source[] {
  const { record } = recordFromObject(object);
  const needs = record?.services.flatMap(service => neededPackages(record, service)) ?? [];
  return needs.flatMap(need => fillSource(need) ?? []);
}

function sourceOf({ spec }: FlowObject): Source {
  return { type: 'local', location: spec.source.location };
}

/** A file that a phase names lies in a package. */
function wantedByPhase({ spec }: PhaseObject, index: PackageIndex): Source[] {
  const { location } = spec.source;
  return [...index.values()].filter(
    one => location === one.location || location.startsWith(`${one.location}/`),
  );
}
