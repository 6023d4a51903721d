import type { PhaseName } from '../api/phase-names.ts';
import type { EngineWorld } from './engine-world.ts';
import {
  byAge,
  type FlowObject,
  one,
  type PhaseObject,
  type RecordObject,
  typeOfPhase,
} from './our-objects.ts';

/** Whether a person wrote this flow: it is no step of a plan, or it was planned from its own words. */
export function isHandMade({ spec }: Pick<FlowObject, 'spec'>): boolean {
  return spec.source.type !== 'plan';
}

/** The record of a namespace; the older one where somebody wrote two. */
export function recordIn(world: Pick<EngineWorld, 'records'>, namespace: string): RecordObject | undefined {
  const records = world.records.all().filter(({ metadata }) => metadata.namespace === namespace);
  return (records as RecordObject[]).toSorted(byAge)[0];
}

/** The account in whose name an object that a person wrote by hand has its own objects written. */
export function accountFor(
  world: Pick<EngineWorld, 'records'>,
  { metadata, spec }: FlowObject | PhaseObject,
): string {
  const record = recordIn(world, metadata.namespace ?? '');
  return spec.serviceAccountName ?? record?.spec.serviceAccountName ?? 'default';
}

/** The name existing manifests and programs know the object of a phase of a service by. */
export function knownPhaseName(service: string, phase: PhaseName): string {
  return `${service}-${phase}`;
}

/** The object of a phase of a service under the name it is known by, whoever made it. */
export function knownPhase(
  world: Pick<EngineWorld, 'reconciling'>,
  namespace: string | undefined,
  service: string,
  phase: PhaseName,
): PhaseObject | undefined {
  const informer = world.reconciling.informer(typeOfPhase(phase));
  return one<PhaseObject>(informer, namespace, knownPhaseName(service, phase));
}
