import { managedBy, managedByLabel } from '../../api/labels.ts';
import { type PhaseName, phaseNames } from '../../api/phase-names.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { EngineWorld } from '../engine-world.ts';
import { knownPhaseName } from '../hand-made.ts';
import { type FlowObject, typeOfPhase } from '../our-objects.ts';

/**
 * Lays out all nine phases of a service under the names they are known by, each `uninitialized`: a person acts on one by changing its
 * `targetState`. One that is there already is left as it is. The flow owns them, but for the operational one, which outlives it.
 */
export async function layOutPhases(world: EngineWorld, object: FlowObject): Promise<void> {
  for (const phase of phaseNames) {
    try {
      await world.reconciling.create(phaseOfLayout(object, phase));
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
}

function phaseOfLayout({ apiVersion, kind, metadata, spec }: FlowObject, phase: PhaseName) {
  const { name, uid, namespace } = metadata;
  const { serviceName, serviceEndPoint, source, serviceAccountName } = spec;
  return {
    ...typeOfPhase(phase),
    metadata: {
      name: knownPhaseName(serviceName, phase),
      ...(namespace === undefined ? {} : { namespace }),
      // The label of the service is left out: by it the engine knows objects that it brings itself.
      labels: { [managedByLabel]: managedBy },
      ...(phase === 'operational'
        ? {}
        : { ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] }),
    },
    spec: {
      openstackServiceName: serviceName,
      ...(serviceEndPoint === undefined ? {} : { openstackServiceEndPoint: serviceEndPoint }),
      ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
      source: { type: source.type, location: source.location },
      targetState: 'uninitialized',
    },
  };
}
