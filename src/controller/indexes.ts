import type { StoredObject } from '../cluster/cluster.ts';
import type { Indexes, Informer } from '../reconcile/informer.ts';
import type { FlowObject, PhaseObject, PlanObject, RevisionObject } from './our-objects.ts';
import { under } from './our-objects.ts';

/** Names of the ways our objects are found. */
export const byService = 'afloat-service';
export const byFlow = 'afloat-flow';
export const byPlan = 'afloat-plan';
export const byRecord = 'afloat-record';

const at = (object: StoredObject, name: string | undefined): string[] =>
  name === undefined ? [] : [`${object.metadata.namespace}/${name}`];

/** How flows are found: by service, plan and record. */
export const flowIndexes: Indexes = {
  [byService]: object => at(object, (object as FlowObject).spec.serviceName),
  [byPlan]: object => at(object, (object as FlowObject).spec.planned?.plan),
  [byRecord]: object => at(object, (object as FlowObject).spec.planned?.deployment),
};

export const revisionIndexes: Indexes = {
  [byService]: object => at(object, (object as RevisionObject).spec.service),
  [byRecord]: object => at(object, (object as RevisionObject).spec.deployment),
};

export const planIndexes: Indexes = {
  [byRecord]: object => at(object, (object as PlanObject).spec.deployment),
};

export const phaseIndexes: Indexes = {
  [byFlow]: object => at(object, (object as PhaseObject).spec.move?.oslc),
  [byService]: object => at(object, (object as PhaseObject).spec.openstackServiceName),
};

/** The phases of a flow, of all kinds. */
export function phasesOfFlow(phases: readonly Informer[], namespace: string, flow: string): PhaseObject[] {
  return phases.flatMap(informer => under<PhaseObject>(informer, byFlow, `${namespace}/${flow}`));
}
